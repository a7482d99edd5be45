//! An engine that keeps a log of all commits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use table_model::StorageFault;

use super::{position, segment::Position, writer::Writer};
use crate::{
    Clock,
    engine::{self, Engine, PageScrub, Persist, Read, Verdict, Visit, Write, io_fault},
    timestamps::believed,
};

/// An engine whose commits are first appended to a kept log. The position in the log is a record of the store and is
/// written in the same transaction, so both are compared when the store is opened.
#[derive(Debug)]
pub(super) struct KeepingEngine<E> {
    engine: E,
    /// `None` after the close.
    writer: Mutex<Option<Box<Writer>>>,
    clock: Arc<dyn Clock>,
}

impl<E: Engine> KeepingEngine<E> {
    /// Continues a kept log. The first commit of a store without a position is its start.
    pub(super) fn keep(engine: E, writer: Box<Writer>, clock: Arc<dyn Clock>) -> Result<Self, StorageFault> {
        let start = writer.last();
        if start.number == 0 {
            engine::commit(&engine, |write| {
                position::write(write, &start)?;
                Ok(Verdict::Commit(Persist::Now))
            })?;
        }
        Ok(Self { engine, writer: Mutex::new(Some(writer)), clock })
    }

    #[cfg(test)]
    pub(super) fn inner(&self) -> &E {
        &self.engine
    }

    /// Completes a transaction with these changes. Returns the position of the commit in the kept log.
    fn complete(&self, write: &mut dyn Write, changes: &[u8]) -> Result<Position, StorageFault> {
        let missing = || StorageFault::Bug { what: "the position of the kept log is missing".to_owned() };
        let position = position::read(write)?.ok_or_else(missing)?;
        let time = believed(self.clock.now());
        let mut writer = self.writer();
        let writer = writer.as_mut().ok_or(StorageFault::Closed)?;
        let kept = writer.append(position, time, changes).map_err(io_fault)?;
        position::write(write, &kept)?;
        Ok(kept)
    }

    fn writer(&self) -> MutexGuard<'_, Option<Box<Writer>>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Engine> Engine for KeepingEngine<E> {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.engine.read(work)
    }

    fn read_around(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<bool, StorageFault> {
        self.engine.read_around(work)
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        let mut kept = Ok(None);
        let written = self.engine.write(&mut |write| {
            let mut recording = Recording { write, changes: Vec::new() };
            let verdict = work(&mut recording);
            let Recording { write, changes } = recording;
            if verdict == Verdict::Discard || changes.is_empty() {
                return verdict;
            }
            match self.complete(write, &changes) {
                Ok(position) => {
                    kept = Ok(Some(position));
                    // A power failure must not remove commits that the kept log contains.
                    Verdict::Commit(Persist::Now)
                }
                Err(fault) => {
                    kept = Err(fault);
                    Verdict::Discard
                }
            }
        });
        let kept = kept?;
        written?;
        if let (Some(kept), Some(writer)) = (kept, &*self.writer()) {
            writer.confirm(kept);
        }
        Ok(())
    }

    fn recover(&self) -> Result<(), StorageFault> {
        self.engine.recover()
    }

    fn reopenings(&self) -> u64 {
        self.engine.reopenings()
    }

    fn loses_unsynced(&self) -> bool {
        self.engine.loses_unsynced()
    }

    fn waits(&self) -> u64 {
        self.engine.waits()
    }

    fn damaged_pages(&self) -> usize {
        self.engine.damaged_pages()
    }

    fn page_scrub(&self) -> Option<Box<dyn PageScrub>> {
        self.engine.page_scrub()
    }

    fn compact(&self) -> Result<(), StorageFault> {
        self.engine.compact()
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.engine.bytes()
    }

    fn is_closed(&self) -> bool {
        self.engine.is_closed()
    }

    fn close(&self) -> Result<(), StorageFault> {
        let mut position = None;
        let read = self.engine.read(&mut |read| position = position::read(read).ok().flatten());
        let closed = self.engine.close();
        if let Some(writer) = self.writer().take() {
            writer.close(position.filter(|_| read.is_ok() && closed.is_ok()), believed(self.clock.now()));
        }
        closed
    }
}

/// A transaction that records its changes.
struct Recording<'w> {
    write: &'w mut dyn Write,
    /// In the encoding of a frame.
    changes: Vec<u8>,
}

impl Read for Recording<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.write.get(key, visit)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.write.scan(from, to, visit)
    }

    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.write.get_whole(key, visit)
    }

    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.write.scan_whole(from, to, visit)
    }
}

impl Write for Recording<'_> {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        self.write.put(key, value)?;
        engine::encode_change(key, Some(value), &mut self.changes);
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        self.write.remove(key)?;
        engine::encode_change(key, None, &mut self.changes);
        Ok(())
    }
}
