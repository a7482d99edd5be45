//! Options for opening a store.

mod durability;

use std::{path::Path, sync::Arc, time::Duration};

use table_model::limits::KeyLength;

use crate::{
    AcceptedLoss, BackgroundScrub, BackupError, Clock, Compaction, Disk, KeepLog, MapStorage, OpenError,
    Random, RestoreError, RestoreTo, Restored, Salvage, ScrubReport, Store, StoreObserver, SystemClock,
    SystemRandom,
    engine::{Engine, MemoryEngine},
    kept_log::KeptLogUse,
    reserved_names::DeletedNames,
};

pub use self::durability::Durability;

/// Use of the log of a disk.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogMode {
    /// A thread writes the content of the log to the file. This is the default.
    #[default]
    Threaded,
    /// A small log from the first commit on, and the writer writes its content to the file: the order of all calls of
    /// the disk is deterministic, and short programs use all parts of the log.
    Inline,
    /// Each commit is written to the file.
    Off,
}

/// Options of a store, and the functions to open one.
///
/// ```
/// use std::time::Duration;
/// use table_store::{Durability, OpenOptions};
///
/// let store = OpenOptions::new()
///     .cache_bytes(64 << 20)
///     .durability(Durability::Relaxed { at_most: Duration::from_millis(50) })
///     .in_memory()?;
/// # Ok::<(), table_store::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenOptions {
    pub(crate) create: bool,
    pub(crate) read_only: bool,
    pub(crate) cache_bytes: usize,
    pub(crate) verify_up_to: Option<u64>,
    pub(crate) durability: Durability,
    pub(crate) key_length: KeyLength,
    pub(crate) segment_time: Duration,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) log_mode: LogMode,
    pub(crate) page_sums: bool,
    pub(crate) kept_log: KeptLogUse,
    pub(crate) background_scrub: Option<BackgroundScrub>,
    pub(crate) deleted_names: DeletedNames,
    pub(crate) observer: Option<Arc<dyn StoreObserver>>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenOptions {
    /// Creates the default options: create a missing file, 256 MiB of cache, full durability, strict key length, 5 s per
    /// segment.
    #[must_use]
    pub fn new() -> Self {
        Self {
            create: true,
            read_only: false,
            cache_bytes: 256 << 20,
            verify_up_to: None,
            durability: Durability::Full,
            key_length: KeyLength::Strict,
            segment_time: Duration::from_secs(5),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            log_mode: LogMode::default(),
            page_sums: true,
            kept_log: KeptLogUse::default(),
            background_scrub: None,
            deleted_names: DeletedNames::Available,
            observer: None,
        }
    }

    /// Sets whether a missing store is created.
    #[must_use]
    pub fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// Sets whether the store is opened for reading only: neither the file nor its log is changed, and both may be on
    /// read-only media. Rows of the log of a store that was not closed are read from the log. Several processes can read a
    /// store at the same time, while none writes. Writes fail with
    /// [`StorageFault::ReadOnly`](table_model::StorageFault::ReadOnly), and a missing store is not created.
    ///
    /// ```
    /// use table_store::{OpenOptions, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("company.tables");
    /// Store::open(&path)?.blocking().close()?;
    /// let store = OpenOptions::new().read_only(true).open(&path)?.blocking();
    /// assert!(store.create_table(&"Employees".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Sets the size of the page cache in bytes. Writes use additional memory: plan for twice the size.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Sets the maximum size of files that are verified completely when they are opened.
    ///
    /// By default only files of versions without checksums of pages are verified, up to 16 MiB. In all other files,
    /// each page is verified when it is read, so a complete verification only finds damage earlier. `u64::MAX` verifies
    /// every file, which takes about one second per gigabyte.
    #[must_use]
    pub fn verify_up_to(mut self, bytes: u64) -> Self {
        self.verify_up_to = Some(bytes);
        self
    }

    /// Sets the durability of acknowledged writes.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets the maximum key length.
    #[must_use]
    pub fn key_length(mut self, length: KeyLength) -> Self {
        self.key_length = length;
        self
    }

    /// Sets the time limit of a query segment, after which it ends with a continuation token. Defaults to 5 s, as on
    /// Azure.
    #[must_use]
    pub fn segment_time(mut self, time: Duration) -> Self {
        self.segment_time = time;
        self
    }

    /// Sets whether the name of a deleted table, queue or container stays reserved for a time, as in the service: 40 s
    /// for tables and queues, 30 s for containers. Creating it then fails with `TableBeingDeleted`, `QueueBeingDeleted` or
    /// `ContainerBeingDeleted`. By default a name is available immediately. A restart ends the reservations.
    ///
    /// ```
    /// use table_store::{ErrorCode, OpenOptions};
    ///
    /// let store = OpenOptions::new().strict_deletes(true).in_memory()?.blocking();
    /// let table = "Employees".parse()?;
    /// store.create_table(&table)?;
    /// store.delete_table(&table)?;
    /// assert_eq!(store.create_table(&table).unwrap_err().code(), ErrorCode::TableBeingDeleted);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn strict_deletes(mut self, strict: bool) -> Self {
        self.deleted_names = if strict { DeletedNames::Reserved } else { DeletedNames::Available };
        self
    }

    /// Replaces the system clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Replaces the operating system's source of randomness.
    #[must_use]
    pub fn random(mut self, random: impl Random) -> Self {
        self.random = Arc::new(random);
        self
    }

    /// Keeps all commits in a folder, so that a [backup](Store::backup) can be [restored](Self::restore) to any later
    /// point in time. Each commit is first written to the kept log and synced, and then synced in the store, also with
    /// relaxed durability, so writes take longer. If the kept log cannot be written, for example on a full disk, writes fail and reads continue.
    ///
    /// A store that has a kept log must always be opened with it, or for [reading only](Self::read_only): otherwise it is
    /// rejected with [`OpenError::KeptLogRequired`], until [`end_kept_log`](Self::end_kept_log) ends the log. A store that
    /// is only read has no commits, so `keep_log` with `read_only` is an error. Replaces an earlier `end_kept_log`.
    #[must_use]
    pub fn keep_log(mut self, log: KeepLog) -> Self {
        self.kept_log = KeptLogUse::Keep(log);
        self
    }

    /// Ends the kept log of the store when it is opened for writing: later commits are in no log, and the store can be
    /// opened without it. The files of the log remain, and earlier backups can be restored to a point before this one.
    /// Without effect on a store without a kept log, and on one that is only read. Replaces an earlier
    /// [`keep_log`](Self::keep_log).
    ///
    /// A backup contains the position of the store in its kept log. This option opens a copy of the backup as a store
    /// with a separate history; [`KeepLog::start_new`] does the same with a new log.
    ///
    /// ```
    /// use table_store::{KeepLog, OpenError, OpenOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [path, log] = ["a.tables", "log"].map(|name| folder.path().join(name));
    /// # std::fs::create_dir(&log)?;
    /// let options = OpenOptions::new();
    /// options.clone().keep_log(KeepLog::in_folder(&log)).open(&path)?.blocking().close()?;
    /// assert!(matches!(options.open(&path), Err(OpenError::KeptLogRequired { .. })));
    /// options.clone().end_kept_log().open(&path)?.blocking().close()?;
    /// options.open(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn end_kept_log(mut self) -> Self {
        self.kept_log = KeptLogUse::End;
        self
    }

    /// Verifies all pages in use in the background, with a limited rate: a thread reads them from the disk, not from the
    /// cache. Damage that it finds has the same consequences as damage that a read finds: writes are rejected until the
    /// store is opened again. [`StoreStats::background_scrub`](crate::StoreStats::background_scrub) contains its
    /// progress. Not used by default, and without effect on files without checksums of pages.
    #[must_use]
    pub fn background_scrub(mut self, scrub: BackgroundScrub) -> Self {
        self.background_scrub = Some(scrub);
        self
    }

    /// Passes measurements of commits and syncs to an observer. By default nothing is measured.
    #[must_use]
    pub fn observer<O: StoreObserver>(mut self, observer: Arc<O>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Sets the use of the log, for tests and comparisons.
    #[doc(hidden)]
    #[must_use]
    pub fn log_mode(mut self, mode: LogMode) -> Self {
        self.log_mode = mode;
        self
    }

    /// Sets whether new stores have checksums of pages, for tests of stores of earlier versions.
    #[doc(hidden)]
    #[must_use]
    pub fn page_sums(mut self, sums: bool) -> Self {
        self.page_sums = sums;
        self
    }

    /// Opens the store in a file. The file is locked until the store is closed.
    ///
    /// # Errors
    /// See [`OpenError`]. A rejected file is not modified.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Store, OpenError> {
        crate::opening::file(self, path.as_ref())
    }

    /// Opens the store on a disk provided by the caller. Creates the store if the disk is empty.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_disk(&self, disk: impl Disk) -> Result<Store, OpenError> {
        crate::opening::disk(self, Arc::new(disk))
    }

    /// Verifies a complete file that is not open, including files that [`open`](Self::open) rejects: its head, every
    /// page of the engine, and every record. The file is locked during the call and not modified; it may be read-only.
    ///
    /// # Errors
    /// See [`OpenError`]. Damage is not an error; it is listed in the report. A file that does not start like a store,
    /// or that has a later version, is rejected.
    pub fn scrub(&self, path: impl AsRef<Path>) -> Result<ScrubReport, OpenError> {
        crate::scrub::file(self, path.as_ref())
    }

    /// Verifies a complete store on a disk provided by the caller, like [`scrub`](Self::scrub).
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn scrub_disk(&self, disk: impl Disk) -> Result<ScrubReport, OpenError> {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        crate::scrub::disk(self, &disk)
    }

    /// Copies a store whose log is missing or damaged to a new file, without the commits that are lost with the log. This
    /// is the only way to use such a store without a backup: [`open`](Self::open) rejects it, because acknowledged commits
    /// are missing. The store is locked during the call and not modified.
    ///
    /// ```
    /// use table_store::{OpenOptions, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [path, copy] = ["company.tables", "copy.tables"].map(|name| folder.path().join(name));
    /// Store::open(&path)?.blocking().close()?;
    /// let accepted = OpenOptions::new().accept_lost_log(&path, &copy)?;
    /// if let Some(lost) = accepted.lost {
    ///     println!("commits after number {} are lost, from {} on: {}", lost.after, lost.since, lost.reason);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`BackupError`]. No file is then created.
    pub fn accept_lost_log(
        &self,
        path: impl AsRef<Path>,
        copy: impl AsRef<Path>,
    ) -> Result<AcceptedLoss, BackupError> {
        crate::backup::accept(self, path.as_ref(), copy.as_ref())
    }

    /// Copies the sound part of a damaged store to a new file, including a store that [`open`](Self::open) rejects. The
    /// damaged file is locked during the call and not modified. The copied records are verified; the result lists what is
    /// lost. Tables whose names are lost are named `Recovered` and their id. The new store has no kept log.
    ///
    /// The values are current, with two exceptions: values of commits in a damaged log, and a page whose last write was
    /// lost and whose checksums were damaged at the same time.
    ///
    /// ```
    /// use table_store::{OpenOptions, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// Store::open(path("company.tables"))?.blocking().close()?;
    /// let salvage = OpenOptions::new().salvage(path("company.tables"), path("sound.tables"))?;
    /// assert!(salvage.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`BackupError`]; no file is created then. Damage is not an error, unless no copy of the
    /// engine's header is sound.
    pub fn salvage(&self, path: impl AsRef<Path>, new: impl AsRef<Path>) -> Result<Salvage, BackupError> {
        crate::salvage::file(self, path.as_ref(), new.as_ref())
    }

    /// Creates a new store at `path` from a backup and the [kept log](Self::keep_log) in `folder`, as it was at a point
    /// after the backup. The backup and the log are not modified. The new store has no kept log.
    ///
    /// ```
    /// use table_store::{KeepLog, LogEnd, OpenOptions, RestoreTo};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [path, log, backup, new] = ["a.tables", "log", "b.tables", "c.tables"].map(|name| folder.path().join(name));
    /// # std::fs::create_dir(&log)?;
    /// let store = OpenOptions::new().keep_log(KeepLog::in_folder(&log)).open(&path)?.blocking();
    /// store.backup(&backup)?;
    /// store.create_table(&"Employees".parse()?)?;
    /// let restored = OpenOptions::new().restore(&backup, &log, RestoreTo::Latest, &new)?;
    /// // No later commit is missing.
    /// assert_eq!((restored.applied, restored.end), (1, LogEnd::Confirmed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`RestoreError`]. No file is then created.
    pub fn restore(
        &self,
        backup: impl AsRef<Path>,
        folder: impl AsRef<Path>,
        to: RestoreTo,
        path: impl AsRef<Path>,
    ) -> Result<Restored, RestoreError> {
        crate::kept_log::restore(self, backup.as_ref(), folder.as_ref(), to, path.as_ref())
    }

    /// Compacts the file of a store that is not open, with the options of [`open`](Self::open): returns the space of deleted
    /// and overwritten data to the file system. The file is verified completely, locked during the call, and changed in place. An interruption loses no
    /// data, and no space for a second copy is required. Pages in use are not merged; a [backup](Store::backup) fills
    /// its pages and is even smaller.
    ///
    /// ```
    /// use table_store::{OpenOptions, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("company.tables");
    /// Store::open(&path)?.blocking().close()?;
    /// let compaction = OpenOptions::new().compact(&path)?;
    /// assert!(compaction.bytes_after <= compaction.bytes_before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`OpenError`]. The content of the store never changes.
    pub fn compact(&self, path: impl AsRef<Path>) -> Result<Compaction, OpenError> {
        crate::compaction::file(self, path.as_ref())
    }

    /// Compacts a store on a disk provided by the caller, like [`compact`](Self::compact).
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn compact_disk(&self, disk: impl Disk) -> Result<Compaction, OpenError> {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        crate::compaction::disk(self, &disk)
    }

    /// Creates a store in memory. Its content is lost when the last handle is dropped.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn in_memory(&self) -> Result<Store, OpenError> {
        self.open_disk(crate::MemoryDisk::new())
    }

    /// Opens the store on an engine provided by the caller. Creates the store if the engine is empty. The options of the
    /// file engine (`create`, `cache_bytes`, `verify_up_to`) have no effect.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_engine(&self, engine: impl Engine + 'static) -> Result<Store, OpenError> {
        crate::opening::engine(self, engine)
    }

    /// Opens the store on the second engine, an ordered map, for tests that compare both engines.
    ///
    /// # Errors
    /// See [`OpenError`].
    #[doc(hidden)]
    pub fn open_map(&self, storage: MapStorage) -> Result<Store, OpenError> {
        self.open_engine(MemoryEngine::new(storage))
    }
}
