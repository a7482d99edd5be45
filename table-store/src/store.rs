//! Public handle of the store.

mod queues;
mod service;
mod settings;

use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
};

use table_model::{Capabilities, Pending, Result};

use crate::{
    Backup, BackupError, BlockingStore, OpenError, OpenOptions, ScrubProgress, ScrubReport,
    background_scrub::Scrubber, backup, committer::Committer, core::Core, job::Work, request::Request, scrub,
};

/// The table service on one file.
///
/// Clones are handles of the same store. The store is closed when the last handle is dropped, or by [`Store::close`].
/// It uses one thread for writes; reads run on the thread that polls their future. No async runtime is required.
///
/// ```
/// use table_store::{Entity, Operation, Store, TableService};
///
/// # pollster::block_on(async {
/// let store = Store::in_memory()?;
/// let table = "Employees".parse()?;
/// store.create_table(&table).await?;
/// let employee = Entity::new("Sales", "empid_000223").with("FirstName", "Jo");
/// store.execute(&table, &Operation::Insert(employee)).await?;
/// let row = store.get(&table, "Sales", "empid_000223", None).await?;
/// assert!(row.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    // Dropped before the committer, which closes the engine.
    scrubber: Option<Scrubber>,
    core: Arc<Core>,
    committer: Committer,
    capabilities: Capabilities,
}

impl Store {
    pub(crate) fn new(core: Arc<Core>, committer: Committer, scrubber: Option<Scrubber>) -> Self {
        let mut capabilities = Capabilities::embedded();
        capabilities.key_length = core.options.key_length;
        Self(Arc::new(Inner { scrubber, core, committer, capabilities }))
    }

    pub(crate) fn core(&self) -> &Core {
        &self.0.core
    }

    /// Executes a request of another service on the writer.
    pub(crate) async fn work<W: Work>(&self, work: W) -> Result<W::Answer> {
        self.0.committer.work(work).await
    }

    /// Opens the store in a file with the default [`OpenOptions`]. Creates the file if it is missing.
    ///
    /// # Errors
    /// See [`OpenError`]. A rejected file is not modified.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        OpenOptions::new().open(path)
    }

    /// Creates a store in memory. Its content is lost when the last handle is dropped.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn in_memory() -> Result<Self, OpenError> {
        OpenOptions::new().in_memory()
    }

    /// Returns a handle of the same store with blocking calls.
    #[must_use]
    pub fn blocking(&self) -> BlockingStore {
        BlockingStore::new(self.clone())
    }

    /// Waits until all acknowledged writes are on stable storage. Only required with
    /// [`Durability::Relaxed`](crate::Durability::Relaxed).
    ///
    /// # Errors
    /// A [`StorageFault`](table_model::StorageFault) if the sync fails or the store is closed.
    pub fn flush(&self) -> Pending<'_, ()> {
        Box::pin(self.0.committer.ask(Request::Flush))
    }

    /// Waits until all deleted tables, queues, containers and blobs are removed, and their space and names can be
    /// reused. Data in use by a reader or writer of a blob remains until that is dropped.
    ///
    /// # Errors
    /// A [`StorageFault`](table_model::StorageFault) if the disk fails or the store is closed. A store that was opened
    /// for reading only returns the error of a write if it contains deleted data.
    pub fn swept(&self) -> Pending<'_, ()> {
        Box::pin(self.0.committer.ask(Request::Swept))
    }

    /// Verifies every record: its checksum, its key, its layout, and that it belongs to a table. Concurrent reads and
    /// writes continue.
    ///
    /// Records that are unreachable because of damaged engine pages are not detected. [`OpenOptions::scrub`] detects
    /// these too, on a file that is not open.
    ///
    /// # Errors
    /// A [`StorageFault`](table_model::StorageFault) if the disk fails. Damage is not an error; it is listed in the report.
    pub fn scrub(&self) -> Pending<'_, ScrubReport> {
        Box::pin(scrub::running(&*self.0.core.engine))
    }

    /// Copies the store to a new file while it is in use. The copy contains all writes that were acknowledged before
    /// the call, and no later writes. It is an ordinary store with the same tables, queues, blobs, timestamps and
    /// versions; continuation tokens remain valid in it. Every record is verified.
    ///
    /// The file gets its name only when it is complete and on stable storage. It has minimal size: a separate thread
    /// writes it in one pass over the records, with bounded memory. During the copy, the store does not reuse space.
    /// Dropping the future cancels the copy.
    ///
    /// ```
    /// use table_store::{Entity, Operation, Store, TableService};
    ///
    /// # pollster::block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// let store = Store::open(path("company.tables"))?;
    /// let table = "Employees".parse()?;
    /// store.create_table(&table).await?;
    /// store.execute(&table, &Operation::Insert(Entity::new("Sales", "1").with("Name", "Jo"))).await?;
    /// store.backup(path("monday.tables")).await?;
    ///
    /// let copy = Store::open(path("monday.tables"))?;
    /// assert!(copy.get(&table, "Sales", "1", None).await?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// See [`BackupError`]; no file is created in case of an error. A damaged record is an error; copying the closed
    /// file would include the damage.
    pub async fn backup(&self, path: impl AsRef<Path>) -> Result<Backup, BackupError> {
        backup::backup(Arc::clone(&self.0.core), path.as_ref().to_owned()).await
    }

    /// Closes the store for all its handles, after all previous requests. A backup in progress is canceled, and the
    /// background scrub ends. Later
    /// requests fail with [`StorageFault::Closed`](table_model::StorageFault::Closed).
    ///
    /// # Errors
    /// A [`StorageFault`](table_model::StorageFault) if the last sync fails.
    pub fn close(&self) -> Pending<'_, ()> {
        Box::pin(async {
            if let Some(scrubber) = &self.0.scrubber {
                scrubber.stop();
            }
            let closed = self.0.committer.ask(Request::Close).await;
            self.0.committer.join();
            self.0.core.copies.wait();
            closed
        })
    }

    /// Closes the store and minimizes the file. The caller has the only handle.
    pub(crate) async fn compact(&self) -> Result<()> {
        // Deleted data must be removed first; otherwise its space is not released.
        let swept = self.swept().await;
        let end = if swept.is_ok() { Request::Compact } else { Request::Close };
        let ended = self.0.committer.ask(end).await;
        self.0.committer.join();
        swept.and(ended)
    }

    /// Returns metrics of the store.
    pub fn stats(&self) -> StoreStats {
        let core = &self.0.core;
        let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        StoreStats {
            file_bytes: core.engine.bytes().ok(),
            tables: core.names.len(),
            requests: read(&core.counters.requests),
            // A closed store rejects the requests that it counted.
            waiting: if core.engine.is_closed() { 0 } else { core.counters.waiting() },
            groups: read(&core.counters.groups),
            commits: read(&core.counters.commits),
            log_waits: core.engine.waits(),
            damaged_pages: core.engine.damaged_pages(),
            background_scrub: self.0.scrubber.as_ref().map(Scrubber::progress),
        }
    }
}

/// Metrics of a store, counted since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreStats {
    /// Size of the file in bytes; `None` if it cannot be determined.
    pub file_bytes: Option<u64>,
    /// Number of tables, without deleted tables.
    pub tables: usize,
    /// Number of write requests, including rejected ones: entity writes, transactions, creation and deletion of tables,
    /// and writes of queues and blobs. A large blob counts once per batch.
    pub requests: u64,
    /// Number of write requests that wait for the writer to start their group.
    pub waiting: u64,
    /// Number of groups in which the writer executed the requests.
    pub groups: u64,
    /// Number of engine commits, including those of sweeps. With [`Durability::Full`](crate::Durability::Full), each
    /// commit syncs the file or its log.
    pub commits: u64,
    /// Number of commits that waited because the log was full and its content was still being written to the file.
    pub log_waits: u64,
    /// Number of damaged pages that reads and the background scrub have found, at most 1,000. If there are any, writes are rejected until the store
    /// is opened again.
    pub damaged_pages: usize,
    /// Progress of the [background scrub](OpenOptions::background_scrub); `None` without one.
    pub background_scrub: Option<ScrubProgress>,
}
