use std::collections::HashMap;

use table_store::limits;

use crate::{Error, TransactionError, write::Write};

/// The writes, if they can be one transaction; else what keeps them from being one.
pub(crate) fn check(writes: Vec<Result<Write, Error>>) -> Result<Vec<Write>, Box<TransactionError>> {
    let count = writes.len();
    let mut checked: Vec<Write> = Vec::with_capacity(count);
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(count);
    let mut bytes = 0;
    for (index, write) in writes.into_iter().enumerate() {
        let write =
            write.map_err(|error| Box::new(TransactionError::Operation { index, error: Box::new(error) }))?;
        if let Some(first) = checked.first() {
            if write.table != first.table {
                return refuse(TransactionError::OtherTable {
                    index,
                    address: write.address(),
                    first: first.address(),
                });
            }
            if write.operation.partition_key() != first.operation.partition_key() {
                let (address, first) = (write.address(), first.address());
                return refuse(TransactionError::OtherPartition { index, address, first });
            }
        }
        if let Some(earlier) = seen.insert(write.operation.row_key().to_owned(), index) {
            return refuse(TransactionError::SameEntity { index, earlier, address: write.address() });
        }
        bytes += write.operation.size();
        if bytes >= limits::TRANSACTION_BYTES {
            return refuse(TransactionError::TooLarge { index, bytes });
        }
        checked.push(write);
    }
    if count > limits::TRANSACTION_OPERATIONS {
        return refuse(TransactionError::TooMany { count });
    }
    Ok(checked)
}

fn refuse<T>(refusal: TransactionError) -> Result<T, Box<TransactionError>> {
    Err(Box::new(refusal))
}
