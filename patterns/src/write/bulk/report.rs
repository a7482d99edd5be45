use table_model::ErrorCode;

use crate::{Address, Error, WriteResult};

/// Result of a [`Bulk`](crate::Bulk), group by group, in the order of their first inputs. Every input is in exactly one
/// group.
#[derive(Clone, Debug)]
#[must_use = "failed groups are only reported here"]
pub struct BulkReport {
    /// The transactions that were sent, and the inputs that could not be sent.
    pub groups: Vec<Group>,
}

/// Inputs that were written atomically.
#[derive(Clone, Debug)]
pub struct Group {
    /// Indexes of the inputs, starting at 0, in the order in which they were added.
    pub indexes: Vec<usize>,
    /// The results, one for each input (`None` for a delete), or the error, in which case no input of the group was
    /// written. [`Error::index`] is relative to the group: [`Group::at_fault`] returns the input.
    pub outcome: Result<Vec<Option<WriteResult>>, Error>,
    /// Address of the entity, if the group is a single write that the service rejected, such as an insert of an existing
    /// entity.
    pub address: Option<Address>,
}

impl Group {
    pub(crate) const fn new(indexes: Vec<usize>, outcome: Result<Vec<Option<WriteResult>>, Error>) -> Self {
        Self { indexes, outcome, address: None }
    }

    /// Returns the index of the input that caused the failure, if it can be determined.
    pub fn at_fault(&self) -> Option<usize> {
        let error = self.outcome.as_ref().err()?;
        match error.index() {
            Some(index) => self.indexes.get(index).copied(),
            None if self.indexes.len() == 1 => self.indexes.first().copied(),
            None => None,
        }
    }
}

impl BulkReport {
    /// Returns the number of inputs that were written.
    pub fn written(&self) -> usize {
        self.groups.iter().filter(|group| group.outcome.is_ok()).map(|group| group.indexes.len()).sum()
    }

    /// Returns the groups that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| group.outcome.is_err())
    }

    /// Returns the inputs that were not written because the entity, or its key in a unique index, exists already: the
    /// index of the input and the address of its entity.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&employee(2)).await?;
    /// let report = tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?;
    /// let duplicates: Vec<_> = report.duplicates().map(|(input, address)| (input, address.row_key())).collect();
    /// assert_eq!(duplicates, [(1, "empid_000002")]);
    /// assert_eq!(report.written(), 2);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn duplicates(&self) -> impl Iterator<Item = (usize, &Address)> {
        self.failed().filter_map(|group| {
            let error = group.outcome.as_ref().err()?;
            let is_duplicate = error.code() == Some(ErrorCode::EntityAlreadyExists);
            Some((group.at_fault()?, group.address.as_ref()?)).filter(|_| is_duplicate)
        })
    }

    /// Returns the number of inputs that were written, if no group failed.
    ///
    /// # Errors
    /// Returns the error of the first failed group. The other groups remain written.
    pub fn into_result(self) -> Result<usize, Error> {
        let written = self.written();
        match self.groups.into_iter().find_map(|group| group.outcome.err()) {
            Some(error) => Err(error),
            None => Ok(written),
        }
    }
}
