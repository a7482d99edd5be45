use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, LazyLock, OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use table_model::Operation;

use super::record::RecordedWrite;

/// A part of the time of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Stage {
    /// Verifying the signature.
    Auth,
    /// Waiting for a turn of the account, or for memory.
    Queue,
    /// Parsing a query and determining its key ranges.
    Plan,
    /// Reading entities, and writing them as JSON.
    Read,
    /// Waiting for the commit of a write, including its sync.
    CommitWait,
}

/// Measurements of a request in progress, which no response contains. The default is a probe that is off: it measures
/// nothing and reads no clock.
#[derive(Clone, Debug, Default)]
pub struct Probe(Option<Arc<Measured>>);

#[derive(Debug, Default)]
struct Measured {
    /// `true` if the request is recorded.
    is_recorded: bool,
    writes: OnceLock<Vec<RecordedWrite>>,
    operation: OnceLock<&'static str>,
    table: OnceLock<String>,
    /// The hash of the partition, or 0.
    partition: AtomicU64,
    operations: AtomicUsize,
    ranges: AtomicUsize,
    /// Nanoseconds of each stage.
    stages: [AtomicU64; 5],
}

/// The key of the hashes. It is random, so that a hash does not reveal a partition key to a search of likely keys.
static HASH_KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Returns the hash of a PartitionKey in logs. Equal keys have equal hashes until the process ends.
#[must_use]
pub fn partition_hash(partition_key: &str) -> u64 {
    HASH_KEY.hash_one(partition_key).max(1)
}

impl Probe {
    pub(super) fn on(is_recorded: bool) -> Self {
        Self(Some(Arc::new(Measured { is_recorded, ..Measured::default() })))
    }

    /// Returns whether the request is recorded.
    pub(super) fn is_recorded(&self) -> bool {
        self.0.as_ref().is_some_and(|measured| measured.is_recorded)
    }

    /// Sets the writes of a successful request, if it is recorded.
    pub(in crate::server) fn set_writes(&self, operations: &[Operation]) {
        if let Some(measured) = self.0.as_ref().filter(|measured| measured.is_recorded) {
            let _ = measured.writes.set(operations.iter().map(RecordedWrite::of).collect());
        }
    }

    /// Returns the writes of a successful request; empty if it is not recorded.
    pub(super) fn writes(&self) -> &[RecordedWrite] {
        self.0.as_ref().and_then(|measured| measured.writes.get()).map_or(&[], Vec::as_slice)
    }

    /// Starts a stage. It ends when the result is dropped, also if the request is aborted.
    pub(in crate::server) fn start(&self, stage: Stage) -> Lap<'_> {
        Lap(self.0.as_deref().map(|measured| (measured, stage, Instant::now())))
    }

    /// Measures `work` as a stage.
    pub(in crate::server) async fn time<F: Future>(&self, stage: Stage, work: F) -> F::Output {
        let _lap = self.start(stage);
        work.await
    }

    /// Measures the time until `work` is polled first as a wait for its turn.
    pub(in crate::server) fn queued<F: Future>(&self, work: F) -> impl Future<Output = F::Output> {
        let waiting = self.start(Stage::Queue);
        async move {
            drop(waiting);
            work.await
        }
    }

    /// Sets the operation. A request whose time expires has no other record of it.
    pub(in crate::server) fn set_operation(&self, operation: &'static str) {
        if let Some(measured) = &self.0 {
            let _ = measured.operation.set(operation);
        }
    }

    /// Sets the table of an authorized request.
    pub(in crate::server) fn set_table(&self, table: &str) {
        if let Some(measured) = &self.0 {
            let _ = measured.table.set(table.to_owned());
        }
    }

    /// Sets the partition of a write.
    pub(in crate::server) fn set_partition(&self, partition_key: &str) {
        if let Some(measured) = &self.0 {
            measured.partition.store(partition_hash(partition_key), Ordering::Relaxed);
        }
    }

    /// Sets the number of operations of a batch.
    pub(in crate::server) fn set_operations(&self, operations: usize) {
        if let Some(measured) = &self.0 {
            measured.operations.store(operations, Ordering::Relaxed);
        }
    }

    /// Sets the number of key ranges of a query.
    pub(in crate::server) fn set_ranges(&self, ranges: usize) {
        if let Some(measured) = &self.0 {
            measured.ranges.store(ranges, Ordering::Relaxed);
        }
    }

    /// Returns the operation; empty if it was not determined.
    pub(in crate::server) fn operation(&self) -> &'static str {
        self.0.as_ref().and_then(|measured| measured.operation.get()).copied().unwrap_or_default()
    }

    /// Returns the table, if the request was authorized for it.
    pub(super) fn table(&self) -> Option<&str> {
        self.0.as_ref()?.table.get().map(String::as_str)
    }

    pub(super) fn partition(&self) -> Option<u64> {
        Some(self.0.as_ref()?.partition.load(Ordering::Relaxed)).filter(|hash| *hash != 0)
    }

    /// Returns the number of operations of a batch of several.
    pub(super) fn operations(&self) -> Option<usize> {
        Some(self.0.as_ref()?.operations.load(Ordering::Relaxed)).filter(|operations| *operations >= 2)
    }

    pub(super) fn ranges(&self) -> Option<usize> {
        Some(self.0.as_ref()?.ranges.load(Ordering::Relaxed)).filter(|ranges| *ranges > 0)
    }

    /// Returns the microseconds of a stage. `None` if the request did not reach it.
    pub(super) fn micros(&self, stage: Stage) -> Option<u64> {
        let nanos = self.0.as_ref()?.stage(stage).load(Ordering::Relaxed);
        (nanos > 0).then_some(nanos / 1_000)
    }
}

impl Measured {
    fn stage(&self, stage: Stage) -> &AtomicU64 {
        let [auth, queue, plan, read, commit_wait] = &self.stages;
        match stage {
            Stage::Auth => auth,
            Stage::Queue => queue,
            Stage::Plan => plan,
            Stage::Read => read,
            Stage::CommitWait => commit_wait,
        }
    }
}

/// A stage in progress.
#[derive(Debug)]
pub(in crate::server) struct Lap<'p>(Option<(&'p Measured, Stage, Instant)>);

impl Drop for Lap<'_> {
    fn drop(&mut self) {
        if let Some((measured, stage, begun)) = self.0 {
            // A stage that was reached took at least a nanosecond.
            let took = begun.elapsed().max(Duration::from_nanos(1));
            let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
            measured.stage(stage).fetch_add(nanos, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_measured_only_if_the_probe_is_on() {
        let probe = Probe::on(false);
        drop(probe.start(Stage::Auth));
        pollster::block_on(probe.queued(probe.time(Stage::Read, async {})));
        for stage in [Stage::Auth, Stage::Queue, Stage::Read] {
            assert!(probe.micros(stage).is_some(), "{stage:?}");
        }
        assert_eq!(probe.micros(Stage::CommitWait), None);
        let off = Probe::default();
        drop(off.start(Stage::Auth));
        off.set_table("people");
        assert_eq!((off.micros(Stage::Auth), off.table()), (None, None));
    }

    #[test]
    fn a_partition_is_known_by_its_hash_only() {
        let probe = Probe::on(false);
        assert_eq!(probe.partition(), None);
        probe.set_partition("canary");
        assert_eq!(probe.partition(), Some(partition_hash("canary")));
        assert_ne!(partition_hash("canary"), partition_hash("other"));
        assert!(!format!("{probe:?}").contains("canary"));
    }
}
