//! Writing of layers to the file.

use std::sync::{Arc, PoisonError};

use table_model::StorageFault;

use super::{
    Shared,
    changes::Changes,
    layer::Layer,
    lock,
    sync::Ordering,
    view::{Frozen, Layers},
    writer::Writer,
};
use crate::engine::{Applied, Engine};

impl Shared {
    /// Writes all layers and the changes to the file, in one commit. The log is then empty.
    ///
    /// After an error the outcome is unknown, except that the commit is complete or absent.
    pub(super) fn write_through(
        &self,
        writer: &mut Writer,
        changes: Option<&Changes>,
    ) -> Result<(), StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        let layers = self.layers()?;
        // Without a log there is no frame that must not be applied.
        let applied = writer.named.then(|| {
            writer.mark();
            writer.next()
        });
        let written = self.file.write_rows(applied, &mut |put| {
            if let Some(frozen) = &layers.frozen {
                frozen.layer.each(&mut *put)?;
            }
            layers.active.each(&mut *put)?;
            changes.map_or(Ok(()), |changes| changes.iter().try_for_each(|(key, change)| put(key, change)))
        });
        drop(layers);
        let reloaded = self.reload();
        if let (Some(applied), Ok(found)) = (applied, &reloaded)
            && found.sequence >= applied.sequence
        {
            writer.restart(applied);
        }
        let ended = written.and(reloaded.map(drop));
        if ended.is_ok() {
            writer.doubtful = false;
        } else {
            self.doubts.fetch_add(u64::from(changes.is_some()), Ordering::AcqRel);
            // A commit that is not on the disk now could be found there after a crash, with the number that the next
            // frame would have. Only a writable file was settled when it was reopened.
            writer.doubtful |= !self.file.is_writable();
        }
        ended
    }

    /// Freezes the active layer and lets the thread write it. If the thread still writes the previous layer, waits for
    /// it: the memory and the log are bounded.
    pub(super) fn switch(&self, writer: &mut Writer) -> Result<(), StorageFault> {
        self.write_frozen()?;
        self.freeze(writer)?;
        self.wake.frozen();
        Ok(())
    }

    /// Freezes the active layer. There must be no frozen layer.
    pub(super) fn freeze(&self, writer: &mut Writer) -> Result<(), StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        let layers = self.layers()?;
        if layers.active.published() == 0 || layers.frozen.is_some() {
            return Ok(());
        }
        writer.mark();
        let layer = Arc::clone(&layers.active);
        let frozen = Frozen { layer, last: writer.last, start: writer.start, end: writer.at };
        writer.fit_to(self.file.allocated()?);
        writer.leave(&frozen);
        let (active, base) = (Arc::new(Layer::new()), Arc::clone(&layers.base));
        self.set_layers(Some(Layers { active, frozen: Some(Arc::new(frozen)), base }));
        Ok(())
    }

    /// Writes the frozen layer to the file, if there is one.
    pub(super) fn write_frozen(&self) -> Result<(), StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        let Some(frozen) = self.layers()?.frozen.clone() else { return Ok(()) };
        let written = self.file.write_rows(Some(frozen.last), &mut |put| frozen.layer.each(put));
        let reloaded = self.reload();
        written.and(reloaded.map(drop))?;
        if self.replaces_many_pages(&frozen) {
            self.release_pages();
        }
        Ok(())
    }

    /// Returns whether writing a layer may have moved a part of the file that matters for its size. A change of some
    /// dozen bytes moves a page of 4 KiB.
    fn replaces_many_pages(&self, frozen: &Frozen) -> bool {
        const PAGE_TO_CHANGE: u64 = 64;
        let replaced = frozen.end.saturating_sub(frozen.start).saturating_mul(PAGE_TO_CHANGE);
        self.file.bytes().is_ok_and(|bytes| replaced >= bytes)
    }

    /// Makes the pages that the last commit replaced available to the next commit, with an empty commit. redb releases
    /// pages at the end of a commit if no snapshot refers to them, and the last commit was made while the one before it
    /// was pinned. Without this, the next commit would extend the file by all pages that it writes.
    ///
    /// After an error the pages are released by a later commit.
    fn release_pages(&self) {
        let _ = self.file.write_rows(None, &mut |_| Ok(()));
        let _ = self.reload();
    }

    /// Removes rows from the file that the layers remove, without a new position of the log: recovery removes them again.
    /// This takes little space and releases some.
    pub(super) fn write_removals(&self) -> Result<(), StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        // Pages that a commit releases can be used after the next one.
        for _ in 0..2 {
            let layers = self.layers()?;
            let written = self.file.write_rows(None, &mut |put| {
                let mut remove =
                    |key: &[u8]| if layers.removes(key) == Some(true) { put(key, None) } else { Ok(()) };
                if let Some(frozen) = &layers.frozen {
                    frozen.layer.each(|key, _| remove(key))?;
                }
                layers.active.each(|key, _| remove(key))
            });
            drop(layers);
            written.and(self.reload().map(drop))?;
        }
        Ok(())
    }

    /// Pins the last commit of the file, and drops the layers that it contains. The caller holds `checkpoint`.
    fn reload(&self) -> Result<Applied, StorageFault> {
        let base = self.file.pin()?;
        let applied = base.applied;
        let layers = self.layers()?;
        let frozen = layers.frozen.clone().filter(|frozen| frozen.last.sequence > applied.sequence);
        // An empty layer is kept: it may receive its first frame at this moment.
        let is_contained = (1..=applied.sequence).contains(&layers.active.published());
        let active = if is_contained { Arc::new(Layer::new()) } else { Arc::clone(&layers.active) };
        self.set_layers(Some(Layers { active, frozen, base: Arc::new(base) }));
        Ok(applied)
    }

    /// Reopens the file unless it was reopened since `generation`. After an error, reads may be possible.
    pub(super) fn reopen(&self, generation: u64) -> Result<(), StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        if self.layers()?.base.generation != generation {
            return Ok(());
        }
        let reopened = self.file.reopen_since(generation);
        // The reason of the failed reopening is more informative than its consequence.
        self.reload().map(drop).map_err(|fault| reopened.err().unwrap_or(fault))
    }

    /// Returns the layers for a transaction. If the file was reopened, finds out what it contains.
    pub(super) fn current(&self, writer: &mut Writer) -> Result<Arc<Layers>, StorageFault> {
        let mut layers = self.layers()?;
        if layers.base.generation != self.file.current_generation() {
            self.reopen(layers.base.generation)?;
            layers = self.layers()?;
        }
        // A commit that returned an error was complete.
        if layers.base.applied.sequence > writer.last.sequence {
            writer.restart(layers.base.applied);
            // As in `write_through`: it may not be on the disk.
            writer.doubtful = !self.file.is_writable();
        }
        Ok(layers)
    }

    pub(super) fn compact(&self) -> Result<(), StorageFault> {
        let mut writer = lock(&self.writer);
        self.empty(&mut writer)?;
        let _checkpoint = lock(&self.checkpoint);
        // New readers wait. A reader that has these layers fails the compaction: its snapshot keeps its pages in place.
        let mut place = self.layers.write().unwrap_or_else(PoisonError::into_inner);
        drop(place.take());
        let compacted = self.file.compact();
        let base = Arc::new(self.file.pin()?);
        *place = Some(Arc::new(Layers { active: Arc::new(Layer::new()), frozen: None, base }));
        compacted
    }

    pub(super) fn close(&self) -> Result<(), StorageFault> {
        let mut writer = lock(&self.writer);
        let emptied = if self.file.is_closed() { Ok(()) } else { self.empty(&mut writer) };
        self.set_layers(None);
        let log = writer.log.as_ref().map(|log| log.id);
        let closed = self.file.close_with(emptied.is_ok(), log, || match self.disk.log() {
            // Without an own log, a file with its name is that of another program.
            Some(disk) if log.is_some() && disk.len()? != 0 => disk.set_len(0),
            _ => Ok(()),
        });
        emptied.and(closed)
    }

    /// Ensures that the file contains everything, and that no frame of the log can be applied.
    pub(super) fn empty(&self, writer: &mut Writer) -> Result<(), StorageFault> {
        let layers = self.current(writer)?;
        if layers.are_empty() && !writer.doubtful {
            return Ok(());
        }
        drop(layers);
        self.write_through(writer, None)
    }
}
