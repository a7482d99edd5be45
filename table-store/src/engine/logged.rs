//! An engine with a log in front of the file.
//!
//! A commit is one frame in the log, one sync, and then rows in memory (the active layer) over a snapshot of the file.
//! When the layer is large or the store is idle, the layer is frozen and a thread writes it to the file, in one commit
//! that also contains the position of the log. Opening a store that was not closed reads the frames after that position
//! into memory.
//!
//! Locks are taken in this order: `writer`, `checkpoint`, `layers`. All changes of `layers` except a freeze are made under
//! `checkpoint`, and a freeze under `writer`.

mod block;
mod changes;
mod checkpoint;
mod filter;
mod frame;
mod frame_rows;
mod layer;
mod log;
mod merge;
mod opening;
mod recovery;
mod rows;
mod scan;
mod sync;
#[cfg(test)]
pub(crate) mod tests;
mod view;
mod worker;
mod writer;

pub(crate) use rows::LogRows;

use std::{
    fmt,
    sync::{Arc, PoisonError},
};

use table_model::StorageFault;

pub(crate) use self::frame::{decode as decode_changes, encode_change};
use self::{
    changes::Changes,
    log::Log,
    recovery::Unsure,
    sync::{AtomicU64, Mutex, MutexGuard, Ordering, RwLock},
    view::{Layers, Transaction, View},
    worker::{Wake, Worker},
    writer::Writer,
};
use super::{
    Abandon, Engine, FileEngine, LogId, PageScrub, Persist, Read, Reporting, Verdict, Write, io_fault,
};
use crate::{Random, disk::Disk};

/// Sizes and timing of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Maximum size of the log for each of the two layers.
    pub(crate) half_bytes: u64,
    /// Larger commits are written to the file of the store immediately.
    pub(crate) frame_bytes: usize,
    /// Number of commits after opening that are written to the file of the store: a short process creates no log.
    pub(crate) direct_commits: u32,
    /// A thread writes full and idle layers to the file. Without it the writer does this when it needs the log's space,
    /// and the order of all calls of the disks depends on the calls of the engine only.
    pub(crate) threaded: bool,
}

impl Settings {
    /// Settings for simulated disks.
    pub(crate) const INLINE: Self =
        Self { half_bytes: 64 << 10, frame_bytes: 24 << 10, direct_commits: 0, threaded: false };
}

impl Default for Settings {
    fn default() -> Self {
        Self { half_bytes: 16 << 20, frame_bytes: 2 << 20, direct_commits: 4, threaded: true }
    }
}

/// [`FileEngine`] behind a log.
#[derive(Debug)]
pub(crate) struct LoggedEngine {
    shared: Arc<Shared>,
    worker: Worker,
    /// Recovered frames that may not be on stable storage, until the engine is admitted.
    unsure: Mutex<Option<Unsure>>,
}

/// State shared with the thread that writes layers to the file.
struct Shared {
    file: FileEngine,
    disk: Arc<dyn Disk>,
    settings: Settings,
    random: Arc<dyn Random>,
    writer: Mutex<Writer>,
    /// Held while layers are written to the file.
    checkpoint: Mutex<()>,
    /// `None` after the close.
    layers: RwLock<Option<Arc<Layers>>>,
    /// Number of commits to the file with an error: they may be complete.
    doubts: AtomicU64,
    /// Number of commits that waited for a checkpoint.
    waits: AtomicU64,
    wake: Wake,
}

/// Omits the options of the caller.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("file", &self.file)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn layers(&self) -> Result<Arc<Layers>, StorageFault> {
        self.layers.read().unwrap_or_else(PoisonError::into_inner).clone().ok_or(StorageFault::Closed)
    }

    fn set_layers(&self, layers: Option<Layers>) {
        let old = {
            let mut place = self.layers.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *place, layers.map(Arc::new))
        };
        // A large layer is dropped outside of the lock.
        drop(old);
    }

    /// Commits changes. After an error their outcome is unknown.
    fn commit(&self, writer: &mut Writer, changes: Changes, persist: Persist) -> Result<(), StorageFault> {
        if writer.doubtful {
            return self.write_through(writer, Some(&changes));
        }
        if changes.is_empty() {
            return match persist {
                Persist::Now => writer.sync().map_err(|error| self.settle(writer, error)),
                Persist::Later => Ok(()),
            };
        }
        if writer.full {
            // Only the file can release space: it is tried first, until a commit succeeds.
            let mut written = self.write_through(writer, Some(&changes));
            if matches!(written, Err(StorageFault::DiskFull { .. })) && self.write_removals().is_ok() {
                written = self.write_through(writer, Some(&changes));
            }
            writer.full = matches!(written, Err(StorageFault::DiskFull { .. }));
            if !writer.full || writer.doubtful || !self.has_reserve(writer, &changes)? {
                return written;
            }
        } else {
            let has_room = self.has_room(writer, &changes);
            let written = match has_room {
                Ok(true) => None,
                Ok(false) => Some(self.write_through(writer, Some(&changes))),
                Err(fault) => Some(Err(fault)),
            };
            if let Some(written) = written {
                writer.full = matches!(written, Err(StorageFault::DiskFull { .. }));
                return written;
            }
        }
        writer.append(&changes, persist).map_err(|error| self.settle(writer, error))?;
        let active = Arc::clone(&self.layers()?.active);
        let first = active.published() == 0;
        active.apply(changes, writer.last.sequence);
        if first {
            self.wake.written();
        }
        Ok(())
    }

    /// Ensures that the log has room for the changes. Returns `false` if they should be written to the file: the disk
    /// does not have the room, a frame with the changes is too large, or the log is not in use yet.
    fn has_room(&self, writer: &mut Writer, changes: &Changes) -> Result<bool, StorageFault> {
        if !writer.named && writer.direct < self.settings.direct_commits {
            writer.direct += 1;
            return Ok(false);
        }
        if changes.bytes() > self.settings.frame_bytes || !self.name_log(writer)? {
            return Ok(false);
        }
        let layers = self.layers()?;
        if layers.are_empty() {
            writer.fit_to(self.file.allocated()?);
            writer.restart(writer.last);
        }
        if !writer.fits(changes, layers.frozen.as_deref(), false) {
            self.waits.fetch_add(u64::from(layers.frozen.is_some()), Ordering::Relaxed);
            // Its snapshot would keep the pages that the checkpoint replaces.
            drop(layers);
            self.switch(writer)?;
            if !writer.fits(changes, self.layers()?.frozen.as_deref(), false) {
                return Ok(false);
            }
        }
        // After a failed sync only the file can be written.
        Ok(writer.reserve(changes, false).is_ok() && !writer.doubtful)
    }

    /// Returns whether the log has room for the changes although the disk is full. Only commits that remove rows may use
    /// the last part of it: a full store can always be emptied.
    fn has_reserve(&self, writer: &mut Writer, changes: &Changes) -> Result<bool, StorageFault> {
        let removes = changes.iter().any(|(_, change)| change.is_none());
        let frozen = self.layers()?.frozen.clone();
        Ok(writer.named
            && changes.bytes() <= self.settings.frame_bytes
            && writer.fits(changes, frozen.as_deref(), removes)
            && writer.reserve(changes, removes).is_ok()
            && !writer.doubtful)
    }

    /// Creates the log and names it in the file of the store, before the first frame. Returns `false` if the log cannot
    /// be created, for example because the directory is not writable: commits then go to the file of the store.
    fn name_log(&self, writer: &mut Writer) -> Result<bool, StorageFault> {
        if writer.named {
            return Ok(true);
        }
        if writer.log.is_none() {
            let Some(disk) = self.disk.log() else { return Ok(false) };
            let mut id = LogId::default();
            writer.log =
                self.random.fill(&mut id).and_then(|()| Log::create(disk, id, writer.last.head)).ok();
        }
        // From here on the file may name this log, so it is kept after an error.
        let Some(log) = &writer.log else { return Ok(false) };
        self.file.name_log(log.id)?;
        writer.named = true;
        Ok(true)
    }

    /// Settles the outcome of a failed commit before the next one: writes the published layers to the file, so that a later
    /// opening finds the same state as the reads of this one.
    fn end_doubt(&self, writer: &mut Writer) -> Result<(), StorageFault> {
        if !writer.doubtful {
            return Ok(());
        }
        match self.empty(writer) {
            Err(StorageFault::DiskFull { .. }) if self.write_removals().is_ok() => self.empty(writer),
            emptied => emptied,
        }
    }

    /// Ends a commit after an error of the log: writes the published layers to the file, so that the failed frame is
    /// never applied.
    fn settle(&self, writer: &mut Writer, error: std::io::Error) -> StorageFault {
        // After an error, the next commit retries.
        let _ = self.write_through(writer, None);
        io_fault(error)
    }
}

impl Abandon for LoggedEngine {
    fn abandon(&self) -> Result<(), StorageFault> {
        self.shared.set_layers(None);
        self.shared.file.abandon()
    }
}

impl Engine for LoggedEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        let layers = self.shared.layers()?;
        let view = View::new(&layers);
        work(&view);
        if !view.is_stale() {
            return Ok(());
        }
        // The disk failed during the read: retry on the reopened file.
        let generation = layers.base.generation;
        let reopened = self.shared.reopen(generation);
        let layers = self.shared.layers()?;
        if layers.base.generation == generation {
            return reopened;
        }
        work(&View::new(&layers));
        Ok(())
    }

    fn read_around(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<bool, StorageFault> {
        let layers = self.shared.layers()?;
        let read = self.shared.file.around(|around| {
            work(&Reporting { read: &View::over_base(&layers, around), around });
        });
        Ok(read.is_some())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        let shared = &*self.shared;
        shared.file.check_writable()?;
        let mut writer = lock(&shared.writer);
        // `work` may rely on what it reads, also outside of the store: a kept log removes a commit that the store lacks.
        shared.end_doubt(&mut writer)?;
        let layers = shared.current(&mut writer)?;
        let view = View::new(&layers);
        let mut transaction = Transaction::new(&view);
        let verdict = work(&mut transaction);
        let changes = transaction.changes;
        if view.has_failed() {
            // redb rejects all reads after an error. If this fails too, the next call retries and reports the reason.
            let _ = shared.reopen(layers.base.generation);
        }
        // As in `has_room`.
        drop(layers);
        match verdict {
            Verdict::Discard => Ok(()),
            Verdict::Commit(persist) => {
                let committed = shared.commit(&mut writer, changes, persist);
                if writer.named {
                    self.worker.start(&self.shared);
                }
                committed
            }
        }
    }

    fn recover(&self) -> Result<(), StorageFault> {
        let mut writer = lock(&self.shared.writer);
        self.shared.file.recover()?;
        self.shared.current(&mut writer).map(drop)
    }

    fn reopenings(&self) -> u64 {
        self.shared.doubts.load(Ordering::Acquire)
    }

    fn waits(&self) -> u64 {
        self.shared.waits.load(Ordering::Relaxed)
    }

    fn damaged_pages(&self) -> usize {
        self.shared.file.damaged_pages()
    }

    fn page_scrub(&self) -> Option<Box<dyn PageScrub>> {
        self.shared.file.page_scrub()
    }

    /// Commits that are not in the file are in memory.
    fn loses_unsynced(&self) -> bool {
        false
    }

    fn compact(&self) -> Result<(), StorageFault> {
        self.shared.compact()
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.shared.file.bytes()
    }

    fn is_closed(&self) -> bool {
        self.shared.file.is_closed()
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.worker.end();
        self.shared.close()
    }
}
