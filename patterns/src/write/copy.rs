//! The operations on the rows that an entity's indexes keep in its partition.

use table_store::{Condition, ErrorCode, Operation, Properties};

use super::{Old, at};
use crate::{
    Path,
    derived::{DerivedRow, NO_TOKEN, TRANSACTION},
    design::Index,
};

/// An operation on a row of an index.
#[derive(Clone, Debug)]
pub(crate) struct CopyWrite {
    pub(crate) index: &'static Index,
    pub(crate) operation: Operation,
    /// Whether the index is on its way in or out, so that nobody can say whether the row is there.
    pub(crate) is_vague: bool,
}

/// What is to be done about a refused operation on a row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cure {
    /// The operation is another one now: send it all again.
    Changed,
    /// The operation is not needed: send the rest again.
    Needless,
    /// It is about a list that another write changed since it was read: read it again.
    Stale,
    /// Another entity has the key.
    Taken,
    /// Another writer was faster.
    Overtaken,
    /// The refusal stands.
    None,
}

impl CopyWrite {
    pub(crate) const fn new(index: &'static Index, operation: Operation) -> Self {
        Self { index, operation, is_vague: false }
    }

    /// The row is new. An insert, never an upsert: two entities cannot both have it.
    pub(crate) fn insert(index: &'static Index, row: DerivedRow) -> Self {
        Self::new(index, at(row.address, row.properties, Operation::Insert))
    }

    /// From the rows as they were to the rows as they are to be.
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

    /// Sets those of the properties that the row holds; none if there is nothing to set and nothing to compare.
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

/// What can be done about a refused operation on a row of an index. The entity's own operation stands before it in the
/// transaction and was not refused: so no other writer of the entity was here, and the row is not as one would leave it.
pub(super) fn cure(index: &Index, operation: &mut Operation, code: ErrorCode) -> Cure {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    if index.ids().is_some_and(|ids| is_of_list(operation, ids)) {
        let is_stale = matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied);
        return if is_stale { Cure::Stale } else { Cure::None };
    }
    match (&mut *operation, code) {
        (Operation::Insert(_), EntityAlreadyExists) if index.unique => Cure::Taken,
        // Only this entity can have such a row: it was left over.
        (Operation::Insert(entity), EntityAlreadyExists)
        | (Operation::Replace(entity, Condition::Exists), ResourceNotFound) => {
            *operation = Operation::InsertOrReplace(entity.clone());
            Cure::Changed
        }
        (Operation::Delete { condition: Condition::Exists, .. }, ResourceNotFound) => Cure::Needless,
        // It was read through this row, which has another key since.
        (
            Operation::Replace(_, Condition::Matches(_))
            | Operation::Merge(_, Condition::Matches(_))
            | Operation::Delete { condition: Condition::Matches(_), .. },
            ResourceNotFound,
        ) => Cure::Overtaken,
        _ => Cure::None,
    }
}

/// Whether an operation is on the own row of a list: the only rows that hold its members, or go under a condition.
fn is_of_list(operation: &Operation, ids: &str) -> bool {
    match operation {
        Operation::Insert(entity) => entity.properties.get(ids).is_some(),
        Operation::Merge(..) => true,
        Operation::Delete { condition, .. } => *condition != Condition::Exists,
        _ => false,
    }
}
