//! Recovery for rejected operations on index rows.

use table_model::{Condition, ErrorCode, Operation};

use crate::{design::Index, write::Recovery};

/// Determines the recovery for a rejected operation on an index row. The operation on the entity precedes it in the
/// transaction and was not rejected. Therefore no concurrent writer has changed the entity, and the index row is
/// inconsistent.
pub(super) fn recover(index: &Index, operation: &mut Operation, code: ErrorCode) -> Recovery {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    if index.ids().is_some_and(|ids| is_of_list(operation, ids)) {
        let is_stale = matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied);
        return if is_stale { Recovery::Stale } else { Recovery::None };
    }
    match (&mut *operation, code) {
        (Operation::Insert(_), EntityAlreadyExists) if index.unique => Recovery::Taken,
        // Only this entity can have such a row, so it is an orphan.
        (Operation::Insert(entity), EntityAlreadyExists)
        | (Operation::Replace(entity, Condition::Exists), ResourceNotFound) => {
            *operation = Operation::InsertOrReplace(entity.clone());
            Recovery::Changed
        }
        (Operation::Delete { condition: Condition::Exists, .. }, ResourceNotFound) => Recovery::Needless,
        // The entity was read through this row, and has another key since.
        (
            Operation::Replace(_, Condition::Matches(_))
            | Operation::Merge(_, Condition::Matches(_))
            | Operation::Delete { condition: Condition::Matches(_), .. },
            ResourceNotFound,
        ) => Recovery::Overtaken,
        _ => Recovery::None,
    }
}

/// Determines the recovery for a rejected operation on a row of a unique index whose owner was read.
pub(super) fn recover_checked(operation: &mut Operation, code: ErrorCode) -> Recovery {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    match (&mut *operation, code) {
        // The row did not exist when it was read, and now belongs to another entity.
        (Operation::Insert(_), EntityAlreadyExists) | (_, UpdateConditionNotSatisfied) => Recovery::Stale,
        (Operation::Replace(entity, _), ResourceNotFound) => {
            *operation = Operation::Insert(entity.clone());
            Recovery::Changed
        }
        (Operation::Delete { .. }, ResourceNotFound) => Recovery::Needless,
        _ => Recovery::None,
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
