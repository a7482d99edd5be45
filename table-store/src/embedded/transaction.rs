//! What a request must be before the store is asked at all.

use std::collections::HashSet;

use crate::{
    ErrorCode, Operation, Result, TableError,
    key::{self, KeyName},
    limits::{KeyLength, TRANSACTION_BYTES, TRANSACTION_OPERATIONS},
};

/// Checks what one operation sends.
pub(super) fn check_operation(operation: &Operation, length: KeyLength) -> Result<()> {
    match operation.entity() {
        Some(entity) => entity.check(length),
        None => check_keys(operation.partition_key(), operation.row_key(), length),
    }
}

/// Checks keys that are asked for.
pub(super) fn check_keys(partition_key: &str, row_key: &str, length: KeyLength) -> Result<()> {
    key::check(KeyName::Partition, partition_key, length)?;
    key::check(KeyName::Row, row_key, length)
}

/// Checks an entity group transaction (`G-EGT-1`, `G-EGT-2`): first the number of its operations, then its size, then
/// each operation in order: what it sends, that it is of the first one's partition, that its entity is new to it. The
/// error names the first operation at fault; for the size it names none.
pub(super) fn check_transaction(operations: &[Operation], length: KeyLength) -> Result<()> {
    let Some(first) = operations.first() else {
        return Err(TableError::with_message(
            ErrorCode::InvalidInput,
            "The batch request holds no operation. Send 1 to 100.",
        ));
    };
    if operations.len() > TRANSACTION_OPERATIONS {
        return Err(TableError::with_message(
            ErrorCode::InvalidInput,
            "The batch request operation exceeds the maximum 100 changes per change set.",
        )
        .at(TRANSACTION_OPERATIONS - 1));
    }
    if operations.iter().map(Operation::size).sum::<usize>() >= TRANSACTION_BYTES {
        return Err(ErrorCode::RequestBodyTooLarge.into());
    }
    let mut rows = HashSet::with_capacity(operations.len());
    for (index, operation) in operations.iter().enumerate() {
        check_operation(operation, length).map_err(|error| error.at(index))?;
        if operation.partition_key() != first.partition_key() {
            return Err(TableError::new(ErrorCode::CommandsInBatchActOnDifferentPartitions).at(index));
        }
        if !rows.insert(operation.row_key()) {
            return Err(TableError::new(ErrorCode::InvalidDuplicateRow).at(index));
        }
    }
    Ok(())
}
