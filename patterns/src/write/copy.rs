//! Operations on the index rows in the partition of the entity.

use table_model::{Condition, ErrorCode, Operation, Properties};

use super::{Old, at};
use crate::{
    Path,
    derived::{DerivedRow, NO_TOKEN, TRANSACTION},
    design::Index,
};

/// An operation on an index row.
#[derive(Clone, Debug)]
pub(crate) struct CopyWrite {
    pub(crate) index: &'static Index,
    pub(crate) operation: Operation,
    /// `true` if the index is being built or removed, so the row may or may not exist.
    pub(crate) is_vague: bool,
}

/// Recovery for a rejected operation on an index row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cure {
    /// The operation was changed: send all operations again.
    Changed,
    /// The operation is not required: send the others again.
    Needless,
    /// A concurrent write changed the list: read it again.
    Stale,
    /// Another entity has the key.
    Taken,
    /// A concurrent writer changed the entity.
    Overtaken,
    /// The rejection is final.
    None,
}

impl CopyWrite {
    pub(crate) const fn new(index: &'static Index, operation: Operation) -> Self {
        Self { index, operation, is_vague: false }
    }

    /// Creates a new row. Uses an insert, never an upsert, so that two entities cannot both have it.
    pub(crate) fn insert(index: &'static Index, row: DerivedRow) -> Self {
        Self::new(index, at(row.address, row.properties, Operation::Insert))
    }

    /// Returns the operations that change the old rows to the new rows.
    pub(crate) fn over(old: &Old, mut new: Vec<(&'static Index, DerivedRow)>) -> Vec<Self> {
        new.retain(|(index, _)| index.near);
        let stays = |row: &DerivedRow| new.iter().any(|(_, other)| other.is_at(row));
        let gone = old.derived().filter(|(index, row)| index.near && !stays(row)).map(|(index, row)| {
            let (partition_key, row_key) = (row.address.partition_key(), row.address.row_key());
            let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
            let condition = old.condition_of(Path::Index(row.number));
            Self::new(index, Operation::Delete { partition_key, row_key, condition })
        });
        let gone: Vec<Self> = gone.collect();
        let was_there = |row: &DerivedRow| old.derived().any(|(_, other)| other.is_at(row));
        let put = new.into_iter().map(|(index, row)| {
            if !was_there(&row) {
                return Self::insert(index, row);
            }
            let condition = old.condition_of(Path::Index(row.number));
            let replace = |entity| Operation::Replace(entity, condition);
            Self::new(index, at(row.address, row.properties, replace))
        });
        gone.into_iter().chain(put).collect()
    }

    /// Returns the operations that set those properties that the rows contain. Rows without properties to set or
    /// conditions to check are skipped.
    pub(crate) fn merge(old: &Old, properties: &Properties) -> Vec<Self> {
        let merged = old.derived().filter(|(index, _)| index.near).filter_map(|(index, row)| {
            let condition = old.condition_of(Path::Index(row.number));
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

/// Determines the recovery for a rejected operation on an index row. The operation on the entity precedes it in the
/// transaction and was not rejected. Therefore no concurrent writer has changed the entity, and the index row is
/// inconsistent.
pub(super) fn cure(index: &Index, operation: &mut Operation, code: ErrorCode) -> Cure {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    if index.ids().is_some_and(|ids| is_of_list(operation, ids)) {
        let is_stale = matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied);
        return if is_stale { Cure::Stale } else { Cure::None };
    }
    match (&mut *operation, code) {
        (Operation::Insert(_), EntityAlreadyExists) if index.unique => Cure::Taken,
        // Only this entity can have such a row, so it is an orphan.
        (Operation::Insert(entity), EntityAlreadyExists)
        | (Operation::Replace(entity, Condition::Exists), ResourceNotFound) => {
            *operation = Operation::InsertOrReplace(entity.clone());
            Cure::Changed
        }
        (Operation::Delete { condition: Condition::Exists, .. }, ResourceNotFound) => Cure::Needless,
        // The entity was read through this row, and has another key since.
        (
            Operation::Replace(_, Condition::Matches(_))
            | Operation::Merge(_, Condition::Matches(_))
            | Operation::Delete { condition: Condition::Matches(_), .. },
            ResourceNotFound,
        ) => Cure::Overtaken,
        _ => Cure::None,
    }
}

/// Returns `true` if the operation is on a list row. Only list rows contain member ids or are deleted conditionally.
fn is_of_list(operation: &Operation, ids: &str) -> bool {
    match operation {
        Operation::Insert(entity) => entity.properties.get(ids).is_some(),
        Operation::Merge(..) => true,
        Operation::Delete { condition, .. } => *condition != Condition::Exists,
        _ => false,
    }
}
