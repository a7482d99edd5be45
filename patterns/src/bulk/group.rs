use std::collections::{HashMap, HashSet};

use table_store::{TableName, limits};

use super::Group;
use crate::{Error, Tables, write::Write};

/// One transaction to be: writes with the index of their input.
#[derive(Debug, Default)]
pub(super) struct Batch {
    writes: Vec<(usize, Write)>,
    rows: HashSet<String>,
    bytes: usize,
}

impl Batch {
    /// Whether one more write still makes a transaction.
    fn takes(&self, write: &Write) -> bool {
        self.writes.len() < limits::TRANSACTION_OPERATIONS
            && self.bytes + write.operation.size() < limits::TRANSACTION_BYTES
            && !self.rows.contains(write.operation.row_key())
    }

    fn push(&mut self, index: usize, write: Write) {
        self.bytes += write.operation.size();
        self.rows.insert(write.operation.row_key().to_owned());
        self.writes.push((index, write));
    }
}

/// Splits the writes into the batches of each partition, in order. What could not be encoded is a failed group of its
/// own. A single write that is too large goes alone, and is refused by the service.
pub(super) fn split(writes: Vec<Result<Write, Error>>) -> (Vec<Group>, Vec<Vec<Batch>>) {
    let mut refused = Vec::new();
    let mut partitions: Vec<Vec<Batch>> = Vec::new();
    let mut known: HashMap<(TableName, String), usize> = HashMap::new();
    for (index, write) in writes.into_iter().enumerate() {
        let write = match write {
            Ok(write) => write,
            Err(error) => {
                refused.push(Group { indexes: vec![index], outcome: Err(error) });
                continue;
            }
        };
        let partition = (write.table.clone(), write.operation.partition_key().to_owned());
        let at = *known.entry(partition).or_insert_with(|| {
            partitions.push(Vec::new());
            partitions.len() - 1
        });
        let Some(batches) = partitions.get_mut(at) else { continue };
        match batches.last_mut() {
            Some(batch) if batch.takes(&write) => batch.push(index, write),
            _ => {
                let mut batch = Batch::default();
                batch.push(index, write);
                batches.push(batch);
            }
        }
    }
    (refused, partitions)
}

/// Runs the batches of one partition, one after the other.
pub(super) async fn run(tables: &Tables, batches: Vec<Batch>) -> Vec<Group> {
    let mut groups = Vec::with_capacity(batches.len());
    for batch in batches {
        groups.push(run_batch(tables, batch).await);
    }
    groups
}

async fn run_batch(tables: &Tables, batch: Batch) -> Group {
    let (indexes, writes) = batch.writes.into_iter().unzip();
    Group { indexes, outcome: tables.send_all(writes).await }
}
