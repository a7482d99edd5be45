//! The log file: two copies of its head, and frames at any block after them.

use std::{io, ops::Range, sync::Arc};

use table_model::StorageFault;

use super::{block::Block, frame};
use crate::{
    disk::Disk,
    engine::{BLOCK_BYTES, LogId, SECTOR_BYTES, Sector, io_fault},
    refusal::Refusal,
};

/// First bytes of a log.
const MAGIC: [u8; 16] = *b"TABLE-LOG\r\n\x1a\n\0\0\0";
const VERSION: u32 = 3;
/// Number of copies of the head, in a block each.
const SLOTS: u64 = 2;
/// Position of the first frame.
pub(super) const FIRST: u64 = SLOTS * BLOCK_BYTES as u64;
/// Smallest and largest growth. A write to blocks that are on the disk is faster than an extension of the file, because
/// it changes no metadata; a short process should not write many fillers.
const STEPS: (u64, u64) = (128 << 10, 4 << 20);

/// The head of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) id: LogId,
    /// Increases with each write of the head. The file of the store records it, so that it recognizes an older log.
    pub(super) number: u64,
    /// The file has at least this length, and contains blocks of the log up to here.
    pub(super) len: u64,
    /// Block that contains it.
    slot: u64,
    /// The other copy of the head was written, and is damaged.
    pub(super) other_is_damaged: bool,
}

/// An open log.
#[derive(Debug)]
pub(super) struct Log {
    disk: Arc<dyn Disk>,
    pub(super) id: LogId,
    /// Number of the last head.
    number: u64,
    /// Block for the next head. The other one contains a head on stable storage.
    slot: u64,
    /// Length that was written with fillers or frames.
    len: u64,
    /// A head on the disk may contain this length: the file must not be shorter.
    claimed: u64,
    /// Frames were written after the last head.
    changed: bool,
}

impl Log {
    /// Creates an empty log and syncs it. The numbers of its heads are above `number`.
    pub(super) fn create(disk: Arc<dyn Disk>, id: LogId, number: u64) -> io::Result<Self> {
        if disk.len()? != 0 {
            disk.set_len(0)?;
        }
        // A power failure must not leave the new head with the content of an earlier log.
        disk.sync()?;
        disk.set_len(FIRST)?;
        let mut log = Self { disk, id, number, slot: 0, len: FIRST, claimed: FIRST, changed: false };
        log.publish(FIRST)?;
        Ok(log)
    }

    /// Uses an existing log with sound blocks up to `end`. The file of the store has recorded the head `known`.
    pub(super) fn existing(disk: Arc<dyn Disk>, head: Head, known: u64, end: u64) -> io::Result<Self> {
        // A head that the file does not know may be in the memory of the system only: the other one is durable. If it is
        // the only one, the other one was being written.
        let other = (head.slot + 1) % SLOTS;
        let both = read(&*disk, other).map_err(io::Error::other)?.is_some();
        let slot = if both && head.number > known { head.slot } else { other };
        let claimed = disk.len()?.max(head.len);
        let len = end.max(head.len);
        Ok(Self { disk, id: head.id, number: head.number, slot, len, claimed, changed: true })
    }

    /// Writes fillers up to `end`, and beyond, at most up to `most`, if there is room. All frames must be on stable
    /// storage, because a failed sync can lose them.
    pub(super) fn grow(&mut self, end: u64, most: u64) -> io::Result<()> {
        let (least, step) = STEPS;
        let len = end.max(most.min(self.len + self.len.next_power_of_two().clamp(least, step)));
        self.extend(len).or_else(|error| if len == end { Err(error) } else { self.extend(end) })
    }

    /// Returns whether the log has blocks up to `end`.
    pub(super) fn reaches(&self, end: u64) -> bool {
        end <= self.len
    }

    fn extend(&mut self, len: u64) -> io::Result<()> {
        let len = len.max(self.claimed);
        let extended =
            self.disk.set_len(len).and_then(|()| self.fill(self.len..len)).and_then(|()| self.disk.sync());
        if extended.is_err() {
            // The file of the store may need the room. The fillers are not used, so this may fail.
            let _ = self.disk.set_len(self.claimed);
            return extended;
        }
        self.claimed = len;
        self.publish(len)
    }

    /// Writes fillers over blocks that contain nothing of the log, and syncs them.
    pub(super) fn refill(&self, blocks: &[Range<u64>]) -> io::Result<()> {
        if blocks.is_empty() {
            return Ok(());
        }
        blocks.iter().try_for_each(|run| self.fill(run.clone()))?;
        self.disk.sync()
    }

    fn fill(&self, blocks: Range<u64>) -> io::Result<()> {
        let mut fillers = vec![0; usize::try_from(STEPS.0).unwrap_or(BLOCK_BYTES)];
        let mut at = blocks.start;
        while at < blocks.end {
            fillers.fill(0);
            let count = usize::try_from(blocks.end - at).unwrap_or(usize::MAX).min(fillers.len());
            let now = fillers.get_mut(..count).unwrap_or_default();
            for (block, number) in now.chunks_exact_mut(BLOCK_BYTES).zip(frame::number(at)..) {
                Block { number, ..Block::default() }.seal(self.id, block);
            }
            self.disk.write(at, now)?;
            at += count as u64;
        }
        Ok(())
    }

    /// Writes a new head and syncs it. After an error either head may be found.
    fn publish(&mut self, len: u64) -> io::Result<()> {
        let number = self.number + 1;
        let parts: [&[u8]; 5] =
            [&MAGIC, &VERSION.to_le_bytes(), &self.id, &number.to_le_bytes(), &len.to_le_bytes()];
        Sector::new(&parts).write(&*self.disk, self.slot)?;
        self.disk.sync()?;
        (self.number, self.len) = (number, len);
        self.slot = (self.slot + 1) % SLOTS;
        self.changed = false;
        Ok(())
    }

    /// Returns the number of the log. If frames were written since the last head, this is a new number: copies of the log
    /// without these frames have lower numbers.
    pub(super) fn mark(&mut self) -> io::Result<u64> {
        if self.changed {
            self.publish(self.len)?;
        }
        Ok(self.number)
    }

    pub(super) fn write(&mut self, at: u64, frame: &[u8]) -> io::Result<()> {
        self.changed = true;
        self.disk.write(at, frame)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.disk.sync()
    }
}

/// Returns whether a file is what an interrupted creation of a log leaves: nothing but a part of the first head.
pub(super) fn is_unborn(disk: &dyn Disk) -> Result<bool, StorageFault> {
    if disk.len().map_err(io_fault)? != FIRST {
        return Ok(false);
    }
    let mut rest = vec![0; 2 * BLOCK_BYTES - SECTOR_BYTES];
    disk.read(SECTOR_BYTES as u64, &mut rest).map_err(io_fault)?;
    Ok(rest.iter().all(|byte| *byte == 0))
}

/// Reads the newest sound head. Returns `None` if there is none.
pub(super) fn head(disk: &dyn Disk) -> Result<Option<Head>, Refusal> {
    let (mut newest, mut is_damaged) = (None, false);
    for slot in 0..SLOTS {
        if disk.len().map_err(io_fault)? < (slot + 1) * BLOCK_BYTES as u64 {
            break;
        }
        let Some(head) = read(disk, slot)? else {
            is_damaged |= is_written(disk, slot)?;
            continue;
        };
        if head.u32(16) != VERSION {
            return Err(Refusal::NoLog("was written by another version; close the store with that version"));
        }
        let [number, len] = [36, 44].map(|at| u64::from_le_bytes(head.array(at)));
        let head = Head { id: head.array(20), number, len, slot, other_is_damaged: false };
        newest = newest.filter(|newest: &Head| newest.number > number).or(Some(head));
    }
    Ok(newest.map(|newest| Head { other_is_damaged: is_damaged, ..newest }))
}

/// Returns whether a block of the head was written. The first one always is, the other one contains zeros until then.
fn is_written(disk: &dyn Disk, slot: u64) -> Result<bool, StorageFault> {
    let mut bytes = [0; SECTOR_BYTES];
    disk.read(slot * BLOCK_BYTES as u64, &mut bytes).map_err(io_fault)?;
    Ok(slot == 0 || bytes.iter().any(|byte| *byte != 0))
}

/// Reads a block of the head, if it is sound.
fn read(disk: &dyn Disk, slot: u64) -> Result<Option<Sector>, StorageFault> {
    Ok(Sector::read(disk, slot)?.filter(|head| head.array(0) == MAGIC))
}
