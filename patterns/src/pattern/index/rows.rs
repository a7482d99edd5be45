//! Operations on the index rows in the partition of the entity.

use table_model::{Condition, ETag, ErrorCode, Operation, Properties, Timestamp};

use super::{
    has_near_rows,
    owner::{Found, Owner},
    recover::{recover, recover_checked},
};
use crate::{
    core::{
        derived_row::DerivedRow,
        index_state::Duty,
        old::Old,
        reserved::{NO_DERIVED_TOKEN, TRANSACTION},
        written::WriteResult,
    },
    design::Index,
    write::{Change, Recovery, at, removal},
};

/// An operation on an index row.
#[derive(Clone, Debug)]
pub(crate) struct IndexRow {
    pub(crate) index: &'static Index,
    pub(crate) operation: Operation,
    /// `true` if the index is being built or removed, so the row may or may not exist.
    pub(crate) is_vague: bool,
    /// Required owner of an existing row of a unique index. `None` if the row cannot belong to another entity.
    pub(super) owner: Option<Owner>,
}

/// An operation that was taken.
#[derive(Clone, Copy, Debug)]
struct Sent {
    index: &'static Index,
    is_vague: bool,
    /// `true` if the owner of the row was read.
    is_checked: bool,
}

/// The operations on the index rows of one write.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexRows {
    pub(crate) rows: Vec<IndexRow>,
    /// The operations that were taken.
    sent: Vec<Sent>,
    /// Indexes whose rows were repaired.
    mended: Vec<&'static str>,
}

impl IndexRows {
    pub(crate) const fn of(rows: Vec<IndexRow>) -> Self {
        Self { rows, sent: Vec::new(), mended: Vec::new() }
    }

    /// Removes the operations on rows of other entities. `find` is called for each row whose owner was read.
    pub(super) fn leave(&mut self, mut find: impl FnMut() -> Option<Found>) {
        self.rows.retain_mut(|row| {
            let found = row.unchecked().and_then(|_| find());
            if found == Some(Found::Nothing) {
                row.require_absent();
            }
            found != Some(Found::Another)
        });
    }
}

impl Change for IndexRows {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        self.rows.is_empty()
    }

    fn is_open(&self) -> bool {
        self.rows.iter().any(|row| row.unchecked().is_some())
    }

    fn operations(&self) -> Box<dyn Iterator<Item = &Operation> + '_> {
        Box::new(self.rows.iter().map(|row| &row.operation))
    }

    fn copies(&mut self) -> Vec<&mut Operation> {
        self.rows.iter_mut().map(|row| &mut row.operation).collect()
    }

    fn regulate(&mut self, duty: &dyn Fn(&str) -> Duty) {
        self.rows.retain_mut(|row| match duty(row.index.name) {
            Duty::Full => true,
            Duty::None => false,
            Duty::Remove => {
                // If the row does not exist, the rejection is recovered later.
                row.operation = removal(&row.operation);
                true
            }
        });
    }

    fn mark(&mut self, is_settled: &dyn Fn(&str) -> bool) {
        for row in &mut self.rows {
            row.is_vague = !is_settled(row.index.name);
        }
    }

    fn take_operations(&mut self) -> Vec<Operation> {
        let sent = |row: &IndexRow| {
            let (index, is_vague, is_checked) = (row.index, row.is_vague, row.owner.is_some());
            Sent { index, is_vague, is_checked }
        };
        self.sent = self.rows.iter().map(sent).collect();
        std::mem::take(&mut self.rows).into_iter().map(|row| row.operation).collect()
    }

    fn index(&self, number: usize) -> Option<&'static Index> {
        self.sent.get(number).map(|sent| sent.index)
    }

    fn recover(&mut self, number: usize, operation: &mut Operation, code: ErrorCode) -> Recovery {
        let Some(&Sent { index, is_vague, is_checked }) = self.sent.get(number) else {
            return Recovery::None;
        };
        let recovery =
            if is_checked { recover_checked(operation, code) } else { recover(index, operation, code) };
        if matches!(recovery, Recovery::Changed | Recovery::Needless) && !is_vague {
            self.mended.push(index.name);
        }
        recovery
    }

    fn complete(&mut self, _operation: &Operation, written: &mut Option<WriteResult>) {
        if let Some(written) = written {
            written.repaired_indexes = std::mem::take(&mut self.mended);
        }
    }
}

impl IndexRow {
    pub(crate) const fn new(index: &'static Index, operation: Operation) -> Self {
        Self { index, operation, is_vague: false, owner: None }
    }

    /// Creates an operation on an existing row. In any version, the row must belong to the entity.
    fn existing(
        old: &Old,
        (index, row): (&'static Index, &DerivedRow),
        form: impl FnOnce(Condition) -> Operation,
    ) -> Self {
        let condition = old.condition_of_row(row);
        // A row with the required ETag was read as a row of the entity.
        let owner = if condition == Condition::Exists { Owner::of(old, row.rule) } else { None };
        Self { owner, is_vague: row.is_added, ..Self::new(index, form(condition)) }
    }

    /// Returns the required owner of the row, if the row can have any version.
    pub(super) fn unchecked(&self) -> Option<&Owner> {
        match &self.operation {
            Operation::Replace(_, Condition::Exists)
            | Operation::Merge(_, Condition::Exists)
            | Operation::Delete { condition: Condition::Exists, .. } => self.owner.as_ref(),
            _ => None,
        }
    }

    /// Requires a version that no row has. The operation is then rejected even if another entity gets the row
    /// concurrently.
    fn require_absent(&mut self) {
        match &mut self.operation {
            Operation::Replace(_, condition)
            | Operation::Merge(_, condition)
            | Operation::Delete { condition, .. } => {
                *condition = Condition::Matches(ETag::from(Timestamp::UNIX_EPOCH));
            }
            _ => {}
        }
    }

    /// Creates a new row. Uses an insert, never an upsert, so that two entities cannot both have it.
    pub(crate) fn insert(index: &'static Index, row: DerivedRow) -> Self {
        Self::new(index, at(row.address, row.properties, Operation::Insert))
    }

    /// Returns the operations that change the old rows to the new rows.
    pub(crate) fn over(old: &Old, new: Vec<(&'static Index, DerivedRow)>) -> Vec<Self> {
        let stays = |row: &DerivedRow| new.iter().any(|(_, other)| other.is_at(row));
        let gone =
            old.derived().filter(|(index, row)| has_near_rows(index) && !stays(row)).map(|(index, row)| {
                let (partition_key, row_key) = (row.address.partition_key(), row.address.row_key());
                let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
                let delete = |condition| Operation::Delete { partition_key, row_key, condition };
                Self::existing(old, (index, row), delete)
            });
        let gone: Vec<Self> = gone.collect();
        let put = new.into_iter().map(|(index, row)| {
            let Some((_, before)) = old.derived().find(|(_, other)| other.is_at(&row)) else {
                return Self::insert(index, row);
            };
            Self::existing(old, (index, before), |condition| {
                at(row.address, row.properties, |entity| Operation::Replace(entity, condition))
            })
        });
        gone.into_iter().chain(put).collect()
    }

    /// Returns the operations that set those properties that the rows contain. Rows without properties to set or
    /// conditions to check are skipped.
    pub(crate) fn merge(old: &Old, properties: &Properties) -> Vec<Self> {
        let merged = old.derived().filter(|(index, _)| has_near_rows(index)).filter_map(|(index, row)| {
            let condition = old.condition_of_row(row);
            let mut held: Properties = properties
                .iter()
                .filter(|(name, _)| index.holds(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            if held.is_empty() && condition == Condition::Exists {
                return None;
            }
            held.set(TRANSACTION, NO_DERIVED_TOKEN);
            Some(Self::existing(old, (index, row), |condition| {
                at(row.address.clone(), held, |entity| Operation::Merge(entity, condition))
            }))
        });
        merged.collect()
    }
}
