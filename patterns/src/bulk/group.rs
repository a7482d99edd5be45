use std::{
    collections::{HashMap, HashSet, VecDeque},
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

use table_store::{TableName, limits};

use super::Group;
use crate::{Error, Tables, write::Write};

/// How many transactions are under way at once where the service keeps their order: enough for the next group to be
/// full when one is committed.
const BATCHES_AT_ONCE: usize = 128;

/// One transaction to be: writes with the index of their input.
#[derive(Debug, Default)]
pub(super) struct Batch {
    writes: Vec<(usize, Write)>,
    rows: HashSet<String>,
    bytes: usize,
}

impl Batch {
    fn table(&self) -> Option<&TableName> {
        self.writes.first().map(|(_, write)| &write.table)
    }

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

/// Runs batches on a service that does writes in the order in which they are sent: many are under way at once.
pub(super) async fn run_in_order(tables: &Tables, batches: impl Iterator<Item = Batch>) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut under_way = VecDeque::new();
    let mut written: HashSet<TableName> = HashSet::new();
    for batch in batches {
        // The first write may have to make the table: what comes later must not overtake it.
        if batch.table().is_some_and(|table| written.insert(table.clone())) {
            groups.push(run_batch(tables, batch).await);
            continue;
        }
        let mut run: Pin<Box<dyn Future<Output = Group> + Send + '_>> = Box::pin(run_batch(tables, batch));
        // The first poll sends it.
        match poll_fn(|context| Poll::Ready(run.as_mut().poll(context))).await {
            Poll::Ready(group) => groups.push(group),
            Poll::Pending => under_way.push_back(run),
        }
        if under_way.len() >= BATCHES_AT_ONCE
            && let Some(oldest) = under_way.pop_front()
        {
            groups.push(oldest.await);
        }
    }
    for run in under_way {
        groups.push(run.await);
    }
    groups
}

async fn run_batch(tables: &Tables, batch: Batch) -> Group {
    let (indexes, writes) = batch.writes.into_iter().unzip();
    Group { indexes, outcome: tables.send_all(writes).await }
}
