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
    let sizes: Vec<usize> = operations.iter().map(Operation::size).collect();
    if sizes.iter().sum::<usize>() >= TRANSACTION_BYTES {
        return Err(ErrorCode::RequestBodyTooLarge.into());
    }
    // In most loads each RowKey is above the one before: then none stands twice.
    let rising = operations.is_sorted_by(|one, next| one.row_key() < next.row_key());
    let mut rows = HashSet::new();
    for (index, (operation, size)) in operations.iter().zip(sizes).enumerate() {
        let checked = match operation.entity() {
            Some(entity) => entity.check_sized(length, size),
            None => check_operation(operation, length),
        };
        checked.map_err(|error| error.at(index))?;
        if operation.partition_key() != first.partition_key() {
            return Err(TableError::new(ErrorCode::CommandsInBatchActOnDifferentPartitions).at(index));
        }
        if !rising && !rows.insert(operation.row_key()) {
            return Err(TableError::new(ErrorCode::InvalidDuplicateRow).at(index));
        }
    }
    Ok(())
}
