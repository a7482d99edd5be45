//! Search of a log for frames, and for blocks that nothing but damage explains.
//!
//! Every block of a log is written before the head counts it. From then on it contains a filler, or the last frame that was
//! written there, or a mixture with the frames that were being written when the power failed. A header of zeros, a block of
//! another place, and more unknown headers in a row than blocks that were announced are therefore damage.

use std::{collections::BTreeMap, ops::Range};

use table_model::StorageFault;

use super::{
    block::{Block, Content, HEADER_BYTES},
    frame::{self, Frame},
    log::{FIRST, Head},
};
use crate::{
    disk::Disk,
    engine::{Applied, BLOCK_BYTES, io_fault},
};

/// Size of the parts in which the log is read.
const PART_BYTES: usize = 1 << 20;
/// Number of bytes that are reserved for a frame before its blocks are read, at most.
const MOST_RESERVED: usize = 4 << 20;
/// Number of blocks that may be written before a sync. More of them are announced by an earlier frame, so this or the
/// announced number is the number of consecutive blocks without a header that a power failure may leave.
pub(super) const SHORT_BLOCKS: u32 = 4;

/// A complete frame after the applied ones.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) at: u64,
    pub(super) frame: Frame,
    /// Checksum of the frame.
    pub(super) sum: u32,
    pub(super) changes: Vec<u8>,
}

/// The blocks of a log.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Complete frames by the number of the frame that they follow.
    after: BTreeMap<u64, Vec<Found>>,
    /// Highest number that a block reports as synced.
    pub(super) synced: u64,
    /// Highest opening of any block.
    pub(super) opening: u32,
    /// Highest number of a frame with a changed bit.
    pub(super) flipped: u64,
    /// The first block that nothing but damage explains.
    pub(super) strange: Option<String>,
    /// End of the last sound block of any frame.
    pub(super) end: u64,
    /// The frame whose first blocks were read.
    current: Option<Found>,
    /// Runs of consecutive unknown blocks.
    pub(super) unknown: Vec<Range<u64>>,
    /// Blocks of which a power failure left a part.
    pub(super) torn: Vec<Range<u64>>,
    /// Highest number of blocks that a frame announces before the next sync.
    announced: u32,
}

/// Reads all blocks of a log.
pub(super) fn scan(disk: &dyn Disk, head: &Head, applied: Applied) -> Result<Frames, StorageFault> {
    let block_bytes = BLOCK_BYTES as u64;
    let len = disk.len().map_err(io_fault)?;
    let mut frames = Frames { end: FIRST, ..Frames::default() };
    if len < head.len {
        frames.note(format!("it is truncated: {len} of {} bytes", head.len));
    }
    let len = len / block_bytes * block_bytes;
    let (mut at, mut part) = (FIRST, Vec::new());
    while at < len {
        part.resize(usize::try_from(len - at).unwrap_or(usize::MAX).min(PART_BYTES), 0);
        disk.read(at, &mut part).map_err(io_fault)?;
        for block in part.chunks_exact(BLOCK_BYTES) {
            frames.add(at, Content::of(head.id, block), block, at < head.len, applied);
            at += block_bytes;
        }
    }
    let most = u64::from(frames.announced.max(SHORT_BLOCKS)) * block_bytes;
    if let Some(run) = frames.unknown.iter().find(|run| run.end - run.start > most) {
        let (first, last) = (frame::number(run.start), frame::number(run.end) - 1);
        frames.note(format!("blocks {first} to {last} are not of this log"));
    }
    Ok(frames)
}

impl Frames {
    /// Takes the frame after a position.
    pub(super) fn take_follower(&mut self, last: Applied) -> Option<Found> {
        let candidates = self.after.remove(&last.sequence)?.into_iter();
        let follows =
            |found: &Found| found.frame.previous == last.chain && found.frame.opening >= last.opening;
        candidates.filter(follows).max_by_key(|found| found.frame.opening)
    }

    /// Adds the block at `at`, which the head counts if `counted`.
    fn add(&mut self, at: u64, content: Content, block: &[u8], counted: bool, applied: Applied) {
        let current = self.current.take();
        match content {
            Content::Sound(header, _) if header.number != frame::number(at) => {
                self.note(format!("block {} contains block {}", frame::number(at), header.number));
            }
            Content::Sound(header, sum) => {
                self.synced = self.synced.max(header.frame.synced);
                self.opening = self.opening.max(header.frame.opening);
                self.announced = self.announced.max(header.frame.next);
                if header.frame.sequence > 0 {
                    self.end = at + BLOCK_BYTES as u64;
                }
                self.add_part(at, header, sum, current, block, applied);
            }
            Content::Flipped(header) => self.flipped = self.flipped.max(header.frame.sequence),
            Content::Torn => self.torn.push(at..at + BLOCK_BYTES as u64),
            // The file was being extended.
            Content::Zeros | Content::Unknown if !counted => {}
            Content::Zeros => self.note(format!("block {} contains zeros", frame::number(at))),
            Content::Unknown => {
                let end = at + BLOCK_BYTES as u64;
                match self.unknown.last_mut() {
                    Some(run) if run.end == at => run.end = end,
                    _ => self.unknown.push(at..end),
                }
            }
        }
    }

    /// Adds a sound block to its frame. A frame that only repeats applied frames, or follows one of them, is not needed.
    fn add_part(
        &mut self,
        at: u64,
        header: Block,
        sum: u32,
        current: Option<Found>,
        block: &[u8],
        applied: Applied,
    ) {
        let Block { frame, index, .. } = header;
        let Some(follows) = frame.follows().filter(|follows| *follows >= applied.sequence) else { return };
        let bytes = usize::try_from(frame.bytes).unwrap_or(usize::MAX);
        let started = if index == 0 {
            Some(Found { at, frame, sum: 0, changes: Vec::with_capacity(bytes.min(MOST_RESERVED)) })
        } else {
            let before = u64::from(index) * BLOCK_BYTES as u64;
            current.filter(|current| current.frame == frame && current.at + before == at)
        };
        let Some(mut found) = started else { return };
        let (fields, payload) =
            block.split_first_chunk::<HEADER_BYTES>().unwrap_or((&[0; HEADER_BYTES], &[]));
        let before = found.changes.len();
        found.changes.extend_from_slice(payload);
        header.whiten(fields, found.changes.get_mut(before..).unwrap_or_default());
        found.changes.truncate(bytes);
        found.sum = frame::chained(found.sum, sum);
        if found.changes.len() == bytes {
            self.after.entry(follows).or_default().push(found);
        } else {
            self.current = Some(found);
        }
    }

    fn note(&mut self, strange: String) {
        self.strange.get_or_insert(strange);
    }
}
