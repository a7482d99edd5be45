use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
};

use super::batch::Batch;
use crate::write::Write;

/// The entities of the batches in flight, so that a write that is sent again does not undo a later one. A batch is
/// represented by hashes of its keys.
#[derive(Debug, Default)]
pub(super) struct Later {
    hashes: VecDeque<(u64, Vec<u64>)>,
    next: u64,
    state: RandomState,
}

impl Later {
    /// Adds a batch, and returns its number.
    pub(super) fn send(&mut self, batch: &Batch) -> u64 {
        let writes = batch.writes.iter().map(|(_, write)| self.hash(write)).collect();
        let number = self.next;
        self.hashes.push_back((number, writes));
        self.next += 1;
        number
    }

    /// Removes a batch and all earlier ones.
    pub(super) fn forget_through(&mut self, number: u64) {
        while self.hashes.front().is_some_and(|(first, _)| *first <= number) {
            self.hashes.pop_front();
        }
    }

    /// Returns whether one of the batches may contain a write of the same entity.
    pub(super) fn contains(&self, write: &Write) -> bool {
        let hash = self.hash(write);
        self.hashes.iter().any(|(_, writes)| writes.contains(&hash))
    }

    fn hash(&self, write: &Write) -> u64 {
        let keys = (write.operation.partition_key(), write.operation.row_key());
        self.state.hash_one((&write.table, keys))
    }
}
