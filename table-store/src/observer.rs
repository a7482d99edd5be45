use std::{fmt::Debug, time::Duration};

use table_model::TableName;

/// Receives measurements of an open store, for metrics. Set with [`OpenOptions::observer`](crate::OpenOptions::observer).
///
/// The threads that write call it, so a method must return quickly. Without an observer, nothing is measured.
///
/// ```
/// use std::{sync::{Arc, atomic::{AtomicUsize, Ordering}}, time::Duration};
/// use table_store::{GroupCommit, OpenOptions, StoreObserver};
///
/// #[derive(Debug, Default)]
/// struct Operations(AtomicUsize);
///
/// impl StoreObserver for Operations {
///     fn committed(&self, commit: &GroupCommit) {
///         self.0.fetch_add(commit.operations, Ordering::Relaxed);
///     }
///     fn synced(&self, _: Duration) {}
/// }
///
/// let operations = Arc::new(Operations::default());
/// let store = OpenOptions::new().observer(Arc::clone(&operations)).in_memory()?.blocking();
/// store.create_table(&"Employees".parse()?)?;
/// store.close()?;
/// assert_eq!(operations.0.load(Ordering::Relaxed), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StoreObserver: Debug + Send + Sync + 'static {
    /// Called after each commit of write requests. Sweeps of deleted data and the end of a store are not reported.
    fn committed(&self, commit: &GroupCommit);

    /// Called after each sync of the file of the store or its log, with its duration, also if it failed. Syncs of a
    /// [kept log](crate::OpenOptions::keep_log) are not reported.
    fn synced(&self, took: Duration);

    /// Returns `true` if the store must call [`accessed`](Self::accessed). By default it does not.
    fn counts_partitions(&self) -> bool {
        false
    }

    /// Called with the number of entities that a request read, or successfully wrote, in a partition, on the thread of the
    /// request. A query calls it for each of its partitions.
    fn accessed(&self, _table: &TableName, _partition_key: &str, _entities: u64) {}
}

/// A group of write requests that were committed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupCommit {
    /// Number of requests, including rejected ones.
    pub requests: usize,
    /// Number of their operations.
    pub operations: usize,
    /// Size of their operations in bytes.
    pub bytes: usize,
    /// Time to check the requests and to execute them in the transaction of the engine.
    pub execute: Duration,
    /// Time to write the transaction, including its sync.
    pub persist: Duration,
}
