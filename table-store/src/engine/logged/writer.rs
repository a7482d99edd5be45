//! State of the writer: the end of the log, and the part of the file in which it is.

use std::{io, mem};

use super::{
    changes::Changes,
    frame::{self, Frame},
    log::{FIRST, Log},
    scan::SHORT_BLOCKS,
    view::Frozen,
};
use crate::engine::{Applied, BLOCK_BYTES, Persist};

/// The end of the log. The active layer and the frozen layer have separate parts of the file, each of at most
/// `half` bytes. The part of the frozen layer is reused when its rows are durable in the file of the store.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) log: Option<Log>,
    /// The file of the store names the log on stable storage.
    pub(super) named: bool,
    /// Number of commits before the log was created.
    pub(super) direct: u32,
    /// Position after the last frame, or after the last commit without a frame.
    pub(super) last: Applied,
    /// All frames up to this number are on stable storage.
    pub(super) synced: u64,
    /// A write or sync of the log failed. The frames after `synced` may or may not be on stable storage, and another
    /// sync would not tell: only the file of the store can be written.
    pub(super) doubtful: bool,
    /// The last commit to the file failed because the disk is full. Small commits may still fit into the log, but deletes
    /// release space only in the file.
    pub(super) full: bool,
    pub(super) start: u64,
    pub(super) at: u64,
    /// End of the active layer's part.
    limit: u64,
    /// Size of the part of each layer, and its largest size.
    half: u64,
    most: u64,
    /// End of the frames that are on stable storage.
    synced_at: u64,
    /// Number of blocks that may be written after them before a sync.
    pub(super) announced: u32,
    buffer: Vec<u8>,
}

/// The least size of the part of each layer, unless the settings are smaller.
const LEAST_HALF: u64 = 512 << 10;

impl Writer {
    pub(super) fn new(last: Applied, most: u64) -> Self {
        let synced = last.sequence;
        let half = LEAST_HALF.min(most);
        Self {
            log: None,
            named: false,
            direct: 0,
            last,
            synced,
            doubtful: false,
            full: false,
            start: FIRST,
            at: FIRST,
            limit: FIRST + half,
            half,
            most,
            synced_at: FIRST,
            announced: SHORT_BLOCKS,
            buffer: Vec::new(),
        }
    }

    /// Returns the position of the next commit without a frame.
    pub(super) fn next(&self) -> Applied {
        let sequence = self.last.sequence + 1;
        let chain = crc32c::crc32c_append(self.last.chain, &sequence.to_le_bytes());
        Applied { sequence, chain, ..self.last }
    }

    /// Chooses the size of the next part. The whole log is at most half as long as the file, so that a nearly full disk has
    /// room for the rows of the log in the file.
    pub(super) fn fit_to(&mut self, file_bytes: u64) {
        self.half = (file_bytes / 4).max(LEAST_HALF).next_multiple_of(BLOCK_BYTES as u64).min(self.most);
    }

    /// Continues after a commit that contains all frames. No frame in the log is used any more.
    pub(super) fn restart(&mut self, applied: Applied) {
        self.last = Applied { opening: self.last.opening, ..applied };
        self.synced = applied.sequence;
        self.doubtful = false;
        (self.start, self.at, self.limit) = (FIRST, FIRST, FIRST + self.half);
        self.synced_at = FIRST;
        // The frame that announced more may be overwritten.
        self.announced = SHORT_BLOCKS;
    }

    /// Continues in the larger unused part of the file. Recovered frames may leave less than one commit needs: the file
    /// then grows by a half, once.
    pub(super) fn leave(&mut self, frozen: &Frozen) {
        let end = self.end();
        let (before, after) = (frozen.start - FIRST, end.saturating_sub(frozen.end));
        let grows = before.max(after) < self.half / 2;
        self.start = if grows || after > before { frozen.end } else { FIRST };
        self.at = self.start;
        self.synced_at = self.start;
        self.limit = self.start + self.half;
        if !grows {
            self.limit = self.limit.min(end);
        }
    }

    /// Returns the end of the log, unless recovered frames made it longer.
    pub(super) fn end(&self) -> u64 {
        FIRST + 2 * self.half
    }

    /// Returns the size of the last part of each layer's room, for commits that remove rows from a full disk.
    fn spare(&self) -> u64 {
        (self.half / 128).next_multiple_of(BLOCK_BYTES as u64).max(2 * BLOCK_BYTES as u64)
    }

    /// Returns the end of a frame, and of the room that remains behind it for removals unless it uses that room itself.
    fn end_of(&self, changes: &Changes, removes: bool) -> u64 {
        let spare = if removes { 0 } else { self.spare() };
        let announcement = u32::from(self.unsynced_with(changes) > self.announced);
        let blocks = frame::blocks(changes.bytes()).saturating_add(announcement);
        self.at + u64::from(blocks) * BLOCK_BYTES as u64 + spare
    }

    /// Returns the number of blocks without a sync after a frame with these changes is written.
    pub(super) fn unsynced_with(&self, changes: &Changes) -> u32 {
        let before = frame::number(self.at - self.synced_at);
        before.saturating_add(frame::blocks(changes.bytes()))
    }

    /// Returns whether a frame with these changes fits before the frozen layer and into the part of the active layer.
    pub(super) fn fits(&self, changes: &Changes, frozen: Option<&Frozen>, removes: bool) -> bool {
        let frozen = frozen.map(|frozen| frozen.start).filter(|start| *start >= self.start);
        self.end_of(changes, removes) <= self.limit.min(frozen.unwrap_or(self.limit))
    }

    /// Makes room for a frame in the file. After an error the frames of the log are unchanged, unless `doubtful` is set.
    pub(super) fn reserve(&mut self, changes: &Changes, removes: bool) -> io::Result<()> {
        let end = self.end_of(changes, removes);
        if self.log.as_ref().is_none_or(|log| log.reaches(end)) {
            return Ok(());
        }
        self.sync()?;
        let limit = self.limit;
        self.log.as_mut().map_or(Ok(()), |log| log.grow(end, limit))
    }

    /// Gives the log a new number if it was changed since the last one. The next commit to the file records it, so that
    /// an earlier copy of the log is recognized. After an error the last number stays.
    pub(super) fn mark(&mut self) {
        if !self.doubtful && self.sync().is_ok() {
            self.renumber();
        }
    }

    /// Gives the log a new number, without a sync of its frames before. After an error the last number stays.
    pub(super) fn renumber(&mut self) {
        if let Some(Ok(number)) = self.log.as_mut().map(Log::mark) {
            self.last.head = number;
        }
    }

    /// Writes a frame. After an error it may or may not be in the log.
    pub(super) fn append(&mut self, changes: &Changes, persist: Persist) -> io::Result<()> {
        self.announce(changes)?;
        self.append_after(self.last, changes, persist)
    }

    /// Announces more blocks without a sync than any frame so far, with an empty frame that is synced. A power failure may
    /// leave any bytes in all blocks that were written since the last sync: blocks beyond the announced number are damage.
    fn announce(&mut self, changes: &Changes) -> io::Result<()> {
        let blocks = self.unsynced_with(changes);
        if blocks > self.announced {
            self.sync()?;
            self.announced = blocks.next_power_of_two();
            self.append_after(self.last, &Changes::default(), Persist::Now)?;
        }
        Ok(())
    }

    /// Writes a frame with the changes of all frames after `follows`, which it replaces.
    pub(super) fn repeat(&mut self, follows: Applied, changes: &Changes) -> io::Result<()> {
        self.append_after(follows, changes, Persist::Now)
    }

    fn append_after(&mut self, follows: Applied, changes: &Changes, persist: Persist) -> io::Result<()> {
        let Some(log) = &mut self.log else { return Err(io::ErrorKind::NotFound.into()) };
        let Applied { sequence, opening, head, .. } = self.last;
        let frame = Frame {
            sequence: sequence + 1,
            synced: self.synced,
            opening,
            previous: follows.chain,
            bytes: u32::try_from(changes.bytes()).map_err(io::Error::other)?,
            repeats: u32::try_from(sequence - follows.sequence).map_err(io::Error::other)?,
            next: self.announced,
        };
        let mut buffer = mem::take(&mut self.buffer);
        let sum = frame.encode(log.id, self.at, changes, &mut buffer);
        let written = log.write(self.at, &buffer).and_then(|()| match persist {
            Persist::Now => log.sync(),
            Persist::Later => Ok(()),
        });
        self.buffer = buffer;
        if let Err(error) = written {
            self.doubtful = true;
            return Err(error);
        }
        self.at += frame.len();
        self.last = Applied { sequence: frame.sequence, chain: sum, opening, head };
        if persist == Persist::Now {
            (self.synced, self.synced_at) = (frame.sequence, self.at);
        }
        Ok(())
    }

    /// Syncs the frames that were written without a sync.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.synced >= self.last.sequence {
            return Ok(());
        }
        let synced = self.log.as_ref().map_or(Ok(()), Log::sync);
        match synced {
            Ok(()) => (self.synced, self.synced_at) = (self.last.sequence, self.at),
            Err(_) => self.doubtful = true,
        }
        synced
    }
}
