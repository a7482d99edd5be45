//! Entities that a query reads, by partition, for the observer of the store.

use std::panic::{AssertUnwindSafe, catch_unwind};

use table_model::TableName;

use crate::{StoreObserver, core::Core, keys::PartitionRun};

/// Counts the entities of a run of one partition, and reports them when the run ends.
pub(crate) struct Accesses<'a> {
    observer: &'a dyn StoreObserver,
    table: &'a TableName,
    run: PartitionRun,
    entities: u64,
}

impl<'a> Accesses<'a> {
    /// Returns `None` if the store has no observer of partitions.
    pub(crate) fn of(core: &'a Core, table: &'a TableName) -> Option<Self> {
        let observer = core.options.observer.as_deref().filter(|observer| observer.counts_partitions())?;
        Some(Self { observer, table, run: PartitionRun::default(), entities: 0 })
    }

    /// Counts an entity by its key.
    pub(crate) fn read(&mut self, key: &[u8]) {
        if !self.run.contains(key) {
            self.report();
            // The record of an invalid key is damaged, which its reader reports.
            let _ = self.run.split(key);
        }
        self.entities += 1;
    }

    /// Reports entities of one partition.
    pub(crate) fn add(&self, partition_key: &str, entities: u64) {
        // A panic during a read would look like damage.
        let report = || self.observer.accessed(self.table, partition_key, entities);
        let _ = catch_unwind(AssertUnwindSafe(report));
    }

    fn report(&mut self) {
        let entities = std::mem::take(&mut self.entities);
        if entities > 0 {
            self.add(self.run.partition_key(), entities);
        }
    }
}

impl Drop for Accesses<'_> {
    fn drop(&mut self) {
        self.report();
    }
}
