//! How a store is opened.

use std::{path::Path, sync::Arc, time::Duration};

use super::{
    Clock, Compaction, Disk, MapStorage, OpenError, Random, ScrubReport, Store, SystemClock, SystemRandom,
};
use crate::limits::KeyLength;

/// What an acknowledged write has survived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The file was synced: the write survives the end of the process, of the system, and a power cut. This is the
    /// default.
    #[default]
    Full,
    /// The write is visible, and the file is synced at most so much later, also by [`Store::flush`] and when the store
    /// is closed. A crash or an error of the disk in between may lose the writes since the last sync; what is left is a
    /// whole, earlier state. After an error of the disk the next flush or close reports it.
    Relaxed {
        /// How long after a write the sync may begin.
        at_most: Duration,
    },
}

/// Settings of a store, and the ways to open one.
///
/// ```
/// use std::time::Duration;
/// use table_store::embedded::{Durability, OpenOptions};
///
/// let store = OpenOptions::new()
///     .cache_bytes(64 << 20)
///     .durability(Durability::Relaxed { at_most: Duration::from_millis(50) })
///     .in_memory()?;
/// # Ok::<(), table_store::embedded::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenOptions {
    pub(super) create: bool,
    pub(super) cache_bytes: usize,
    pub(super) verify_up_to: u64,
    pub(super) durability: Durability,
    pub(super) key_length: KeyLength,
    pub(super) segment_time: Duration,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) random: Arc<dyn Random>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenOptions {
    /// The defaults: create the file if there is none, 256 MiB of cache, verify files up to 16 MiB, full durability,
    /// strict key length, 5 s for a segment.
    #[must_use]
    pub fn new() -> Self {
        Self {
            create: true,
            cache_bytes: 256 << 20,
            verify_up_to: 16 << 20,
            durability: Durability::Full,
            key_length: KeyLength::Strict,
            segment_time: Duration::from_secs(5),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }

    /// Whether a store is created where there is none.
    #[must_use]
    pub fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// Bytes of memory for pages of the file. Writes take more on top: plan for twice as much.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// A file of at most so many bytes is verified whole when it is opened: every page against its checksum.
    ///
    /// Every record is verified on each read, whatever its file's size: what is read is what was written. Damage to the
    /// pages that lead to the records can hide a record, and that only this verification finds. `u64::MAX` verifies
    /// every file; it takes about a second for each gigabyte.
    #[must_use]
    pub fn verify_up_to(mut self, bytes: u64) -> Self {
        self.verify_up_to = bytes;
        self
    }

    /// What an acknowledged write has survived.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// How long keys may be.
    #[must_use]
    pub fn key_length(mut self, length: KeyLength) -> Self {
        self.key_length = length;
        self
    }

    /// How long one segment of a query may take before it ends with a continuation; 5 s as on Azure.
    #[must_use]
    pub fn segment_time(mut self, time: Duration) -> Self {
        self.segment_time = time;
        self
    }

    /// Another clock than the machine's.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Another source of randomness than the operating system's.
    #[must_use]
    pub fn random(mut self, random: impl Random) -> Self {
        self.random = Arc::new(random);
        self
    }

    /// Opens the store in a file. The file stays locked until the store is closed.
    ///
    /// # Errors
    /// See [`OpenError`]; a file that is refused is as it was.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Store, OpenError> {
        super::opening::file(self, path.as_ref())
    }

    /// Opens the store on a disk of the caller's, or makes one there if it is empty.
    pub fn open_disk(&self, disk: impl Disk) -> Result<Store, OpenError> {
        super::opening::disk(self, Arc::new(disk))
    }

    /// Verifies the whole of a file that is not open, also of one that [`open`](Self::open) refuses: its head, every page
    /// of the engine, every record. Nothing of it is changed; it is locked meanwhile, and may be read-only.
    ///
    /// # Errors
    /// See [`OpenError`]. Damage is no error, it is in the report; but what does not begin like a store, or is of a later
    /// version, is refused.
    pub fn scrub(&self, path: impl AsRef<Path>) -> Result<ScrubReport, OpenError> {
        super::scrub::file(self, path.as_ref())
    }

    /// Verifies the whole of a store on a disk of the caller's, as [`scrub`](Self::scrub) does.
    pub fn scrub_disk(&self, disk: impl Disk) -> Result<ScrubReport, OpenError> {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        super::scrub::disk(self, &disk)
    }

    /// Gives the space in the file of a store that is not open back to the file system: of what was deleted and written
    /// over. The file is verified whole, locked meanwhile, and changed in place, in steps that lose nothing if they are
    /// cut short; it does not need room for a second copy. Pages in use stay as full as they are: a
    /// [backup](Store::backup) fills them, and is shorter still.
    ///
    /// ```
    /// use table_store::embedded::{OpenOptions, Store};
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
    /// See [`OpenError`]. What the store holds is the same in any case.
    pub fn compact(&self, path: impl AsRef<Path>) -> Result<Compaction, OpenError> {
        super::compaction::file(self, path.as_ref())
    }

    /// Compacts a store on a disk of the caller's, as [`compact`](Self::compact) does.
    pub fn compact_disk(&self, disk: impl Disk) -> Result<Compaction, OpenError> {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        super::compaction::disk(self, &disk)
    }

    /// Makes a store in memory. It is gone with its last handle.
    pub fn in_memory(&self) -> Result<Store, OpenError> {
        self.open_disk(super::MemoryDisk::new())
    }

    /// Opens the store on the second engine, a map: for tests that compare the two.
    #[doc(hidden)]
    pub fn open_map(&self, storage: MapStorage) -> Result<Store, OpenError> {
        super::opening::map(self, storage)
    }
}
