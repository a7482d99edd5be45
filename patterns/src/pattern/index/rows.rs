//! Operations on the index rows in the partition of the entity.

use table_model::{Condition, ErrorCode, Operation, Properties};

use super::{has_near_rows, recover::recover};
use crate::{
    AccessPath,
    core::{
        derived_row::DerivedRow,
        index_state::Duty,
        old::Old,
        reserved::{NO_TOKEN, TRANSACTION},
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
}

/// The operations on the index rows of one write.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexRows {
    pub(crate) rows: Vec<IndexRow>,
    /// For each operation that was taken, its index, and whether its row may or may not exist.
    sent: Vec<(&'static Index, bool)>,
    /// Indexes whose rows were repaired.
    mended: Vec<&'static str>,
}

impl IndexRows {
    pub(crate) const fn of(rows: Vec<IndexRow>) -> Self {
        Self { rows, sent: Vec::new(), mended: Vec::new() }
    }
}

impl Change for IndexRows {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        self.rows.is_empty()
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
        self.sent = self.rows.iter().map(|row| (row.index, row.is_vague)).collect();
        std::mem::take(&mut self.rows).into_iter().map(|row| row.operation).collect()
    }

    fn index(&self, number: usize) -> Option<&'static Index> {
        self.sent.get(number).map(|(index, _)| *index)
    }

    fn recover(&mut self, number: usize, operation: &mut Operation, code: ErrorCode) -> Recovery {
        let Some(&(index, is_vague)) = self.sent.get(number) else { return Recovery::None };
        let recovery = recover(index, operation, code);
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
        Self { index, operation, is_vague: false }
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
                let condition = old.condition_of(AccessPath::Index(row.number));
                Self::new(index, Operation::Delete { partition_key, row_key, condition })
            });
        let gone: Vec<Self> = gone.collect();
        let was_there = |row: &DerivedRow| old.derived().any(|(_, other)| other.is_at(row));
        let put = new.into_iter().map(|(index, row)| {
            if !was_there(&row) {
                return Self::insert(index, row);
            }
            let condition = old.condition_of(AccessPath::Index(row.number));
            let replace = |entity| Operation::Replace(entity, condition);
            Self::new(index, at(row.address, row.properties, replace))
        });
        gone.into_iter().chain(put).collect()
    }

    /// Returns the operations that set those properties that the rows contain. Rows without properties to set or
    /// conditions to check are skipped.
    pub(crate) fn merge(old: &Old, properties: &Properties) -> Vec<Self> {
        let merged = old.derived().filter(|(index, _)| has_near_rows(index)).filter_map(|(index, row)| {
            let condition = old.condition_of(AccessPath::Index(row.number));
            let mut held: Properties = properties
                .iter()
                .filter(|(name, _)| index.holds(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            if held.is_empty() && condition == Condition::Exists {
                return None;
            }
            held.set(TRANSACTION, NO_TOKEN);
            let merge = |entity| Operation::Merge(entity, condition);
            Some(Self::new(index, at(row.address.clone(), held, merge)))
        });
        merged.collect()
    }
}
