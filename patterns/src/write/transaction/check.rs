use std::collections::HashMap;

use table_model::{Operation, limits};

use crate::{Address, TransactionError, core::outbox::RECORD_BYTES, write::Write};

/// Checks that the writes can form one transaction, and returns them.
pub(crate) fn check(writes: Vec<Write>) -> Result<Vec<Write>, Box<TransactionError>> {
    // A commit record is required if rows in other partitions or blobs must be updated.
    let follows = writes.iter().any(Write::has_record);
    let operations = writes.iter().map(Write::len).sum::<usize>() + usize::from(follows);
    // In most transactions the RowKeys are strictly ascending, so there are no duplicates.
    let row_keys = writes.iter().flat_map(|write| write.operations().map(Operation::row_key));
    let is_rising = row_keys.is_sorted_by(|one, next| one < next);
    let is_small = writes.iter().map(Write::size_at_most).sum::<usize>() < limits::TRANSACTION_BYTES;
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let (mut bytes, mut record) = (0, 0);
    for (index, write) in writes.iter().enumerate() {
        if let Some(first) = writes.first() {
            if write.table != first.table {
                let (address, first) = (write.address(), first.address());
                return refuse(TransactionError::OtherTable { index, address, first });
            }
            if write.operation.partition_key() != first.operation.partition_key() {
                let (address, first) = (write.address(), first.address());
                return refuse(TransactionError::OtherPartition { index, address, first });
            }
        }
        for operation in write.operations().filter(|_| !is_rising) {
            if let Some(earlier) = seen.insert(operation.row_key(), index) {
                let row_key = operation.row_key().to_owned();
                let address = Address { row_key, ..write.address() };
                return refuse(TransactionError::SameEntity { index, earlier, address });
            }
        }
        if !is_small {
            bytes += write.size();
            if bytes >= limits::TRANSACTION_BYTES {
                return refuse(TransactionError::TooLarge { index, bytes });
            }
        }
        record += write.record_size();
        if record > RECORD_BYTES {
            return refuse(TransactionError::RecordTooLarge { index, bytes: record });
        }
    }
    if operations > limits::TRANSACTION_OPERATIONS {
        let (entities, records) = (writes.len(), usize::from(follows));
        let copies = operations - entities - records;
        return refuse(TransactionError::TooMany { entities, copies, records });
    }
    Ok(writes)
}

fn refuse<T>(refusal: TransactionError) -> Result<T, Box<TransactionError>> {
    Err(Box::new(refusal))
}
