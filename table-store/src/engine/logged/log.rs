//! The log file: a head, and frames at any block after it.

use std::{io, sync::Arc};

use table_model::StorageFault;

use crate::{
    disk::Disk,
    engine::{BLOCK_BYTES, LogId, Sector, io_fault},
    refusal::Refusal,
};

/// First bytes of a log.
const MAGIC: [u8; 16] = *b"TABLE-LOG\r\n\x1a\n\0\0\0";
const VERSION: u32 = 1;
/// Position of the first frame.
pub(super) const FIRST: u64 = BLOCK_BYTES as u64;
/// Smallest and largest growth. A write to zeros that are on the disk is faster than an extension of the file, because
/// it changes no metadata; a short process should not write many zeros.
const STEPS: (u64, u64) = (128 << 10, 4 << 20);

/// An open log.
#[derive(Debug)]
pub(super) struct Log {
    disk: Arc<dyn Disk>,
    pub(super) id: LogId,
    /// Length that was written with zeros or frames.
    len: u64,
}

impl Log {
    /// Creates an empty log and syncs it. A left-over log is deleted.
    pub(super) fn create(disk: Arc<dyn Disk>, id: LogId) -> io::Result<Self> {
        if disk.len()? != 0 {
            disk.set_len(0)?;
        }
        disk.set_len(FIRST)?;
        Sector::new(&[&MAGIC, &VERSION.to_le_bytes(), &id]).write(&*disk, 0)?;
        disk.sync()?;
        Ok(Self { disk, id, len: FIRST })
    }

    /// Uses an existing log.
    pub(super) fn existing(disk: Arc<dyn Disk>, id: LogId, len: u64) -> Self {
        Self { disk, id, len }
    }

    /// Writes zeros up to `end`, and beyond, at most up to `most`, if there is room.
    pub(super) fn reserve(&mut self, end: u64, most: u64) -> io::Result<()> {
        if end <= self.len {
            return Ok(());
        }
        let (least, step) = STEPS;
        let len = end.max(most.min(self.len + self.len.next_power_of_two().clamp(least, step)));
        self.extend(len).or_else(|error| if len == end { Err(error) } else { self.extend(end) })
    }

    fn extend(&mut self, len: u64) -> io::Result<()> {
        let extended = self.disk.set_len(len).and_then(|()| self.write_zeros(len));
        match &extended {
            Ok(()) => self.len = len,
            // The file of the store may need the room. The zeros are not used, so this may fail.
            Err(_) => drop(self.disk.set_len(self.len)),
        }
        extended
    }

    fn write_zeros(&self, len: u64) -> io::Result<()> {
        let zeros = vec![0; usize::try_from(STEPS.0.min(len - self.len)).unwrap_or(BLOCK_BYTES)];
        let mut at = self.len;
        while at < len {
            let count = usize::try_from(len - at).unwrap_or(usize::MAX).min(zeros.len());
            self.disk.write(at, zeros.get(..count).unwrap_or_default())?;
            at += count as u64;
        }
        Ok(())
    }

    pub(super) fn write(&self, at: u64, frame: &[u8]) -> io::Result<()> {
        self.disk.write(at, frame)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.disk.sync()
    }
}

/// Rejects a file that is not a log, although it has the name of one: it would be deleted.
pub(super) fn reject_other(disk: &dyn Disk) -> Result<(), Refusal> {
    let len = disk.len().map_err(io_fault)?;
    // The creation of a log ends with this length, and may have been interrupted.
    if len == 0 || len == FIRST {
        return Ok(());
    }
    let mut magic = [0; MAGIC.len()];
    if len > FIRST {
        disk.read(0, &mut magic).map_err(io_fault)?;
    }
    if magic == MAGIC { Ok(()) } else { Err(Refusal::StrayLog("is not the log of a store")) }
}

/// Reads the identification of a log. Returns `None` if its head is damaged.
pub(super) fn id(disk: &dyn Disk) -> Result<Option<LogId>, StorageFault> {
    if disk.len().map_err(io_fault)? < FIRST {
        return Ok(None);
    }
    let head = Sector::read(disk, 0)?;
    Ok(head.filter(|head| head.array(0) == MAGIC && head.u32(16) == VERSION).map(|head| head.array(20)))
}
