//! Splits writes into transactions.

use std::{collections::HashMap, iter::Enumerate, vec};

use table_model::{TableName, limits};

use super::Group;
use crate::{
    Address, Error,
    core::outbox::RECORD_BYTES,
    write::{Intent, Write},
};

/// A transaction to send: writes with the index of their input.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) writes: Vec<(usize, Write)>,
    operations: usize,
    /// `true` if the transaction leaves a commit record, which is one more operation.
    has_record: bool,
    /// Targets that the writes change, with one operation on each.
    sinks: Vec<Address>,
    /// Upper bound of the number of bytes, for which no characters are counted.
    bytes: usize,
    /// Number of bytes of the commit record.
    record_bytes: usize,
    /// `true` if the row keys are in ascending order, as in most bulk loads. Then no row key occurs twice.
    rising: bool,
}

impl Batch {
    const fn new() -> Self {
        let writes = Vec::new();
        let sinks = Vec::new();
        Self { writes, operations: 0, has_record: false, sinks, bytes: 0, record_bytes: 0, rising: true }
    }

    pub(super) fn table(&self) -> Option<&TableName> {
        self.writes.first().map(|(_, write)| &write.table)
    }

    /// Returns whether the transaction needs preparation: lists or targets are read, unique keys are reserved, or
    /// values are uploaded.
    pub(super) fn is_prepared(&self) -> bool {
        !self.sinks.is_empty() || self.writes.iter().any(|(_, write)| write.is_exclusive())
    }

    /// Returns the number of bytes.
    fn size(&self) -> usize {
        self.writes.iter().map(|(_, write)| write.size()).sum()
    }

    /// Returns whether the transaction has room for one more write of at most this size. A write that is too large is sent
    /// alone, and the service rejects it.
    fn takes(&self, write: &Write, size: usize) -> bool {
        let record = usize::from(self.has_record || write.has_record());
        let sinks = self.sinks.len() + self.new_sinks(write).count();
        self.writes.is_empty()
            || self.operations + write.len() + record + sinks <= limits::TRANSACTION_OPERATIONS
                && (self.bytes + size < limits::TRANSACTION_BYTES
                    || self.size() + write.size() < limits::TRANSACTION_BYTES)
                && self.record_bytes + write.record_size() <= RECORD_BYTES
                && !self.holds_any_of(write)
    }

    fn new_sinks<'w>(&self, write: &'w Write) -> impl Iterator<Item = &'w Address> {
        write.shared().filter(|sink| !self.sinks.contains(sink))
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
        for sink in write.shared() {
            if !self.sinks.contains(sink) {
                self.sinks.push(sink.clone());
            }
        }
        self.bytes += size;
        self.record_bytes += write.record_size();
        self.writes.push((index, write));
    }
}

/// The batches of a bulk, each with the number of its partition. Batches of one partition keep their order. Full
/// batches are returned immediately.
pub(super) struct Batches<'t> {
    writes: Enumerate<Box<dyn Iterator<Item = Result<Intent, Error>> + Send + 't>>,
    partitions: Vec<Partition>,
    known: HashMap<(TableName, String), usize>,
    /// Partition of the last write, which usually is also the partition of the next write.
    last: usize,
    /// Writes that could not be encoded, as one failed group each.
    refused: Vec<Group>,
    /// Writes that require a read first, and all later writes of their partitions. They are sent one by one after all
    /// batches.
    late: Vec<(usize, Intent)>,
    rest: Option<vec::IntoIter<(usize, Batch)>>,
}

#[derive(Debug)]
struct Partition {
    table: TableName,
    key: String,
    /// The batch that is being filled.
    open: Batch,
    /// `true` if later writes to the partition must be sent after all batches.
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

    /// Returns the writes that could not be encoded, and the writes that must be sent after all batches. Called after
    /// all batches were returned.
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
                    self.refused.push(Group::new(vec![index], Err(error)));
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
            let size = write.size_at_most();
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
