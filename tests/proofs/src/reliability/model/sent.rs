//! Rules for transactions that do not depend on the store's contents.

use std::collections::BTreeSet;

use table_store::{ErrorCode, Operation};

use super::Refused;

/// Returns the reason for which the transaction is rejected for any contents; single entities are assumed to be valid.
pub(super) fn refused(operations: &[Operation]) -> Option<Refused> {
    match operations.len() {
        0 => return Some((ErrorCode::InvalidInput, None)),
        1..=100 => {}
        _ => return Some((ErrorCode::InvalidInput, Some(99))),
    }
    let partition = operations.first().map(Operation::partition_key);
    let mut rows = BTreeSet::new();
    operations.iter().enumerate().find_map(|(index, operation)| {
        let code = if partition != Some(operation.partition_key()) {
            ErrorCode::CommandsInBatchActOnDifferentPartitions
        } else if !rows.insert(operation.row_key()) {
            ErrorCode::InvalidDuplicateRow
        } else {
            return None;
        };
        Some((code, Some(index)))
    })
}
