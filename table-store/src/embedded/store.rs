//! The store as its users hold it.

mod queues;
mod service;
mod settings;

use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
};

use super::{
    Backup, BackupError, BlockingStore, OpenError, OpenOptions, ScrubReport, backup, committer::Committer,
    core::Core, job::Work, request::Request, scrub,
};
use crate::{Capabilities, Pending, Result};

/// The table service on one file.
///
/// Clones are handles of the same store; it is closed when the last one goes, or by [`Store::close`]. It runs one
/// thread, for writes; reads run where their futures are polled. No async runtime is needed.
///
/// ```
/// use table_store::{Entity, Operation, TableService, embedded::Store};
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
    core: Arc<Core>,
    committer: Committer,
    capabilities: Capabilities,
}

impl Store {
    pub(super) fn new(core: Arc<Core>, committer: Committer) -> Self {
        let capabilities = Capabilities { key_length: core.options.key_length, ..Capabilities::embedded() };
        Self(Arc::new(Inner { core, committer, capabilities }))
    }

    pub(super) fn core(&self) -> &Core {
        &self.0.core
    }

    /// Has some work of another service done.
    pub(super) async fn work<W: Work>(&self, work: W) -> Result<W::Answer> {
        self.0.committer.work(work).await
    }

    /// Opens the store in a file, or creates it, with the default [`OpenOptions`].
    ///
    /// # Errors
    /// See [`OpenError`]; a file that is refused is as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        OpenOptions::new().open(path)
    }

    /// Makes a store in memory. It is gone with its last handle.
    pub fn in_memory() -> Result<Self, OpenError> {
        OpenOptions::new().in_memory()
    }

    /// The same store, with calls that block.
    #[must_use]
    pub fn blocking(&self) -> BlockingStore {
        BlockingStore::new(self.clone())
    }

    /// Returns when all that was acknowledged is on stable storage: of use with
    /// [`Durability::Relaxed`](super::Durability::Relaxed), else it always is.
    pub fn flush(&self) -> Pending<'_, ()> {
        Box::pin(self.0.committer.ask(Request::Flush))
    }

    /// Returns when nothing is left that was deleted, tables, queues, containers and blobs: its space is free, and so
    /// are the names. What a reader or writer of a blob holds is left until it lets go.
    pub fn swept(&self) -> Pending<'_, ()> {
        Box::pin(self.0.committer.ask(Request::Swept))
    }

    /// Verifies every record: its checksum, its key, its layout, and that it belongs to a table. Others read and write
    /// meanwhile.
    ///
    /// A record that is hidden by damaged pages of the engine is not seen so: [`OpenOptions::scrub`] finds that, too, on
    /// a file that is not open.
    ///
    /// # Errors
    /// A [`StorageFault`](crate::StorageFault) if the disk fails. Damage is no error: it is in the report.
    pub fn scrub(&self) -> Pending<'_, ScrubReport> {
        Box::pin(scrub::running(&*self.0.core.engine))
    }

    /// Copies the store to a new file while it is in use: all that was acknowledged before, and nothing of what comes
    /// later. The copy is a store like any other, with the same tables, queues, blobs, timestamps and versions; tokens
    /// of continuations go on in it. Every record is verified on the way.
    ///
    /// The file has its name only when it is whole and on stable storage. It is as short as it can be: written in one pass
    /// over the records, on a thread of its own, with bounded memory. While that lasts, the store reuses no space. Dropping
    /// the future gives it up.
    ///
    /// ```
    /// use table_store::{Entity, Operation, TableService, embedded::Store};
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
    /// See [`BackupError`]: then there is no file. A damaged record is one; a copy of the closed file takes it along.
    pub async fn backup(&self, path: impl AsRef<Path>) -> Result<Backup, BackupError> {
        backup::backup(Arc::clone(&self.0.core), path.as_ref().to_owned()).await
    }

    /// Closes the store, after all that was asked of it before, for all its handles; a copy that is being made is given up.
    /// What comes later is refused with [`StorageFault::Closed`](crate::StorageFault::Closed).
    pub fn close(&self) -> Pending<'_, ()> {
        Box::pin(async {
            let closed = self.0.committer.ask(Request::Close).await;
            self.0.committer.join();
            self.0.core.copies.wait();
            closed
        })
    }

    /// Closes the store with as short a file as it can have. Nobody else has a handle of it.
    pub(super) async fn compact(&self) -> Result<()> {
        // What was deleted is removed first, or its space would stay.
        let swept = self.swept().await;
        let end = if swept.is_ok() { Request::Compact } else { Request::Close };
        let ended = self.0.committer.ask(end).await;
        self.0.committer.join();
        swept.and(ended)
    }

    /// What the store has and has done.
    pub fn stats(&self) -> StoreStats {
        let core = &self.0.core;
        let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        StoreStats {
            file_bytes: core.engine.bytes().ok(),
            tables: core.names.len(),
            requests: read(&core.counters.requests),
            groups: read(&core.counters.groups),
            commits: read(&core.counters.commits),
        }
    }
}

/// Figures of a store; counted since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreStats {
    /// Bytes of the file; none if it cannot be asked.
    pub file_bytes: Option<u64>,
    /// Tables, without deleted ones.
    pub tables: usize,
    /// Writes of entities, transactions, creations and deletions of tables, and writes of queues and blobs (of large
    /// contents one for each batch); refused ones among them.
    pub requests: u64,
    /// Groups in which the writer took them.
    pub groups: u64,
    /// Commits of the engine, those of sweeps among them. With [`Durability::Full`](super::Durability::Full) the file
    /// was synced for each.
    pub commits: u64,
}
