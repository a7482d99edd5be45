//! Errors of writes by the design.

use table_patterns::{Error, ErrorCode};

use crate::edit::Failure;

/// Converts an error of a write. Returns the number of the failed write as well.
pub(super) fn failure(error: &Error) -> (Option<usize>, Failure) {
    let failure = match error.root() {
        _ if error.is_outcome_unknown() => Failure::Unknown(error.to_string()),
        Error::Unique(taken) if let Some(row) = &taken.address => {
            Failure::Taken(error.to_string(), Box::new(row.clone()))
        }
        Error::Unique(_) => Failure::Rejected(error.to_string()),
        Error::IndexConflict(taken) => Failure::Taken(error.to_string(), taken.address.clone()),
        Error::AlreadyExists(_) => Failure::Exists,
        root if root.is_not_found() => Failure::Deleted,
        root if root.code() == Some(ErrorCode::UpdateConditionNotSatisfied) => Failure::Changed,
        root if root.code() == Some(ErrorCode::EntityAlreadyExists) => Failure::Exists,
        root => Failure::Rejected(root.to_string()),
    };
    (error.index(), failure)
}
