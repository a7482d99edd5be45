use crate::{Error, Written};

/// How a [`Bulk`](crate::Bulk) ended, group by group, in the order of their first inputs. Every input is in exactly one
/// group.
#[derive(Clone, Debug)]
#[must_use = "a group that failed is only in here"]
pub struct BulkReport {
    /// The transactions that were sent, and the inputs that could not be.
    pub groups: Vec<Group>,
}

/// Some of the inputs, done together or not at all.
#[derive(Clone, Debug)]
pub struct Group {
    /// Which inputs, counted from 0 in the order in which they were added.
    pub indexes: Vec<usize>,
    /// The results, one for each input (none for a delete); or why none of them was done. [`Error::index`] counts
    /// within the group: [`Group::at_fault`] is the input.
    pub outcome: Result<Vec<Option<Written>>, Error>,
}

impl Group {
    /// The input for which the group failed, where one was to blame.
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
    /// How many inputs were written.
    pub fn written(&self) -> usize {
        self.groups.iter().filter(|group| group.outcome.is_ok()).map(|group| group.indexes.len()).sum()
    }

    /// The groups that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| group.outcome.is_err())
    }

    /// `Ok` if all was written, else the first error. The groups that were done stay done.
    pub fn into_result(self) -> Result<usize, Error> {
        let written = self.written();
        match self.groups.into_iter().find_map(|group| group.outcome.err()) {
            Some(error) => Err(error),
            None => Ok(written),
        }
    }
}
