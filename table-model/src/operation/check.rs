use std::collections::HashSet;

use super::Operation;
use crate::{
    ErrorCode, Result, TableError, key,
    limits::{KeyLength, TRANSACTION_BYTES, TRANSACTION_OPERATIONS},
};

impl Operation {
    /// Checks the content of the operation, like the service does before it accesses the table.
    ///
    /// # Errors
    /// See [`Entity::check`](crate::Entity::check) and [`key::check`].
    pub fn check(&self, length: KeyLength) -> Result<()> {
        match self.entity() {
            Some(entity) => entity.check(length),
            None => key::check_both(self.partition_key(), self.row_key(), length),
        }
    }

    /// Checks an entity group transaction (`G-EGT-1`, `G-EGT-2`): the number of its operations, then its size, then
    /// each operation in order. Each operation must be valid, must address the partition of the first operation, and
    /// must not repeat an entity.
    ///
    /// # Errors
    /// The error contains the index of the first invalid operation; a size error contains no index.
    pub fn check_transaction(operations: &[Self], length: KeyLength) -> Result<()> {
        let Some(first) = operations.first() else {
            return Err(TableError::with_message(
                ErrorCode::InvalidInput,
                "The batch request contains no operations. Send 1 to 100.",
            ));
        };
        if operations.len() > TRANSACTION_OPERATIONS {
            return Err(TableError::with_message(
                ErrorCode::InvalidInput,
                "The batch request operation exceeds the maximum 100 changes per change set.",
            )
            .at(TRANSACTION_OPERATIONS - 1));
        }
        if operations.iter().map(Self::size_at_most).sum::<usize>() >= TRANSACTION_BYTES
            && operations.iter().map(Self::size).sum::<usize>() >= TRANSACTION_BYTES
        {
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        // In most workloads the RowKeys are strictly ascending, so there are no duplicates.
        let rising = operations.is_sorted_by(|one, next| one.row_key() < next.row_key());
        let mut rows = HashSet::new();
        let mut before = None;
        for (index, operation) in operations.iter().enumerate() {
            let checked = match operation.entity() {
                Some(entity) => entity.check_after(before, length),
                None => operation.check(length),
            };
            checked.map_err(|error| error.at(index))?;
            before = operation.entity().or(before);
            if operation.partition_key() != first.partition_key() {
                return Err(TableError::new(ErrorCode::CommandsInBatchActOnDifferentPartitions).at(index));
            }
            if !rising && !rows.insert(operation.row_key()) {
                return Err(TableError::new(ErrorCode::InvalidDuplicateRow).at(index));
            }
        }
        Ok(())
    }
}
