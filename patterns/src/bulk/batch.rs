//! Writes, split into transactions.

use std::{collections::HashMap, iter::Enumerate, vec};

use table_store::{TableName, limits};

use super::Group;
use crate::{
    Address, Error,
    write::{Intent, Write},
};

/// One transaction to be: writes with the index of their input.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) writes: Vec<(usize, Write)>,
    operations: usize,
    /// Whether it leaves a commit record: an operation more.
    has_record: bool,
    /// The sinks that the writes change: an operation on each.
    sinks: Vec<Address>,
    bytes: usize,
    /// Whether each RowKey is above the one before, as in most loads: then none stands twice.
    rising: bool,
}

impl Batch {
    const fn new() -> Self {
        let writes = Vec::new();
        Self { writes, operations: 0, has_record: false, sinks: Vec::new(), bytes: 0, rising: true }
    }

    pub(super) fn table(&self) -> Option<&TableName> {
        self.writes.first().map(|(_, write)| &write.table)
    }

    /// Whether something else comes before it: lists or sinks are read, values go to blobs.
    pub(super) fn is_prepared(&self) -> bool {
        let is_prepared =
            |write: &Write| !write.lists.is_empty() || write.reads_sinks() || write.blobs.has_uploads();
        !self.sinks.is_empty() || self.writes.iter().any(|(_, write)| is_prepared(write))
    }

    /// Whether one more write, of this size, still makes a transaction. One that is too large goes alone, and is
    /// refused by the service.
    fn takes(&self, write: &Write, size: usize) -> bool {
        let record = usize::from(self.has_record || write.has_record());
        let sinks = self.sinks.len() + self.new_sinks(write).count();
        self.writes.is_empty()
            || self.operations + write.len() + record + sinks <= limits::TRANSACTION_OPERATIONS
                && self.bytes + size < limits::TRANSACTION_BYTES
                && !self.holds_any_of(write)
    }

    fn new_sinks<'w>(&self, write: &'w Write) -> impl Iterator<Item = &'w Address> {
        write.fed().filter(|sink| !self.sinks.contains(sink))
    }

    fn holds_any_of(&self, write: &Write) -> bool {
        let is_above = self.rising && write.len() == 1 && self.is_above_last(write.operation.row_key());
        let holds = |row_key| {
            let mut held = self.writes.iter().flat_map(|(_, write)| write.operations());
            held.any(|operation| operation.row_key() == row_key)
        };
        !is_above && write.operations().any(|operation| holds(operation.row_key()))
    }

    fn is_above_last(&self, row_key: &str) -> bool {
        self.writes.last().is_none_or(|(_, last)| last.operation.row_key() < row_key)
    }

    fn push(&mut self, index: usize, write: Write, size: usize) {
        self.rising = self.rising && write.len() == 1 && self.is_above_last(write.operation.row_key());
        self.operations += write.len();
        self.has_record |= write.has_record();
        for sink in write.fed() {
            if !self.sinks.contains(sink) {
                self.sinks.push(sink.clone());
            }
        }
        self.bytes += size;
        self.writes.push((index, write));
    }
}

/// The batches of many writes, each with the number of its partition: those of one partition in their order. A batch
/// comes as soon as it is full.
pub(super) struct Batches<'t> {
    writes: Enumerate<Box<dyn Iterator<Item = Result<Intent, Error>> + Send + 't>>,
    partitions: Vec<Partition>,
    known: HashMap<(TableName, String), usize>,
    /// The partition of the last write: mostly that of the next one, too.
    last: usize,
    /// What could not be encoded: a failed group each.
    refused: Vec<Group>,
    /// What must read first, and what comes behind it in its partition: sent one by one when all else was sent.
    late: Vec<(usize, Intent)>,
    rest: Option<vec::IntoIter<(usize, Batch)>>,
}

#[derive(Debug)]
struct Partition {
    table: TableName,
    key: String,
    /// What is to be sent next.
    open: Batch,
    /// What comes from now on is sent late.
    is_late: bool,
}

impl<'t> Batches<'t> {
    pub(super) fn new(writes: Box<dyn Iterator<Item = Result<Intent, Error>> + Send + 't>) -> Self {
        Self {
            writes: writes.enumerate(),
            partitions: Vec::new(),
            known: HashMap::new(),
            last: 0,
            refused: Vec::new(),
            late: Vec::new(),
            rest: None,
        }
    }

    /// What could not be encoded, and what is to be sent late, once all batches have come.
    pub(super) fn into_rest(self) -> (Vec<Group>, Vec<(usize, Intent)>) {
        (self.refused, self.late)
    }

    fn partition_of(&mut self, table: &TableName, key: &str) -> usize {
        let is_it = |partition: &Partition| partition.key == key && partition.table == *table;
        if !self.partitions.get(self.last).is_some_and(is_it) {
            let (table, key) = (table.clone(), key.to_owned());
            self.last = *self.known.entry((table.clone(), key.clone())).or_insert_with(|| {
                self.partitions.push(Partition { table, key, open: Batch::new(), is_late: false });
                self.partitions.len() - 1
            });
        }
        self.last
    }
}

impl Iterator for Batches<'_> {
    type Item = (usize, Batch);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(rest) = &mut self.rest {
            return rest.next();
        }
        while let Some((index, intent)) = self.writes.next() {
            let intent = match intent {
                Ok(intent) => intent,
                Err(error) => {
                    self.refused.push(Group { indexes: vec![index], outcome: Err(error) });
                    continue;
                }
            };
            let (table, key) = intent.partition();
            let at = self.partition_of(table, key);
            let Some(Partition { open, is_late, .. }) = self.partitions.get_mut(at) else { continue };
            *is_late |= intent.reads().is_some();
            let write = match intent {
                Intent::Ready(write) if !*is_late => write,
                intent => {
                    self.late.push((index, intent));
                    continue;
                }
            };
            let size = write.size();
            if open.takes(&write, size) {
                open.push(index, write, size);
            } else {
                let full = std::mem::replace(open, Batch::new());
                open.push(index, write, size);
                return Some((at, full));
            }
        }
        let left = std::mem::take(&mut self.partitions).into_iter().map(|partition| partition.open);
        let mut left: Vec<_> = left.enumerate().filter(|(_, open)| !open.writes.is_empty()).collect();
        left.sort_by_key(|(_, batch)| batch.writes.first().map(|(index, _)| *index));
        self.rest.insert(left.into_iter()).next()
    }
}
