//! Reading of the frames that are not in the file.
//!
//! A frame is applied if it follows the previous frame's number, refers to the previous frame's checksum, and has no
//! earlier opening. A frame that an earlier opening wrote after a lost frame, and a frame of an earlier use of the same
//! blocks, fails one of these. Of two frames after the same frame, the one of the later opening replaces the other.
//!
//! Where no such frame follows, the log ends, torn by a crash, unless some frame reports that a later number was on stable
//! storage: then a frame was damaged later, and acknowledged commits are missing. Damage of the last frame looks the
//! same as a torn frame: no frame after it reports that it was complete. The report may be in any frame, so all blocks
//! are read, also those after the end: the length of the log bounds the time.

use std::{collections::BTreeMap, sync::Arc};

use table_model::StorageFault;

use super::{
    changes::{Change, Changes},
    frame::{self, Frame, HEADER_BYTES},
    layer::Layer,
    log::FIRST,
    view::Frozen,
};
use crate::{
    disk::Disk,
    engine::{Applied, BLOCK_BYTES, LogId, io_fault},
};

/// Size of the parts in which the log is read.
const PART_BYTES: usize = 1 << 20;

/// Content of a log.
#[derive(Debug)]
pub(super) struct Recovered {
    /// The rows of the frames; `None` if the file contains all frames.
    pub(super) frozen: Option<Frozen>,
    /// Position after the last frame.
    pub(super) last: Applied,
    /// Highest opening of any frame.
    pub(super) opening: u32,
    pub(super) len: u64,
    pub(super) unsure: Unsure,
}

/// The frames that no frame reports as synced. They may be in memory of the system only: it may have dropped writes after
/// a failed sync, although they can still be read, and another sync would not tell.
#[derive(Debug)]
pub(super) struct Unsure {
    /// Their changes.
    pub(super) changes: Changes,
    /// Position after the last synced frame.
    pub(super) follows: Applied,
}

/// A sound frame after the applied ones.
#[derive(Debug)]
struct Found {
    at: u64,
    frame: Frame,
    changes: Box<[u8]>,
}

/// All sound frames.
#[derive(Debug, Default)]
struct Frames {
    /// By the number of the frame that they follow.
    after: BTreeMap<u64, Vec<Found>>,
    synced: u64,
    opening: u32,
}

/// Reads the frames of a log after `applied`.
///
/// # Errors
/// `Corrupt` if a frame is missing that was on stable storage.
pub(super) fn read(disk: &dyn Disk, log: LogId, applied: Applied) -> Result<Recovered, StorageFault> {
    let len = disk.len().map_err(io_fault)?;
    let frames = find(disk, log, len, applied)?;
    let mut last = applied;
    let mut unsure = Unsure { changes: Changes::default(), follows: applied };
    let (mut start, mut end) = (len, FIRST);
    let mut rows = Vec::new();
    while let Some(Found { at, frame, changes }) = frames.follower(last) {
        let is_unsure = frame.sequence > frames.synced;
        let add = |key, value| {
            if is_unsure {
                unsure.changes.set(key, value);
            }
            rows.push((key, frame.sequence, value));
        };
        frame::decode(changes, add).ok_or_else(|| damaged(frame.sequence))?;
        last = Applied { sequence: frame.sequence, chain: frame.sum, opening: frame.opening };
        if !is_unsure {
            unsure.follows = last;
        }
        (start, end) = (start.min(*at), end.max(at + frame.len()));
    }
    if frames.synced > last.sequence {
        return Err(damaged(last.sequence + 1));
    }
    let frozen = (last != applied).then(|| {
        let layer = Arc::new(layer(rows, last.sequence));
        Frozen { layer, last, start, end }
    });
    Ok(Recovered { frozen, last, opening: frames.opening.max(applied.opening), len, unsure })
}

/// Creates a layer with the newest version of each row.
fn layer(mut rows: Vec<(&[u8], u64, Change<'_>)>, last: u64) -> Layer {
    rows.sort_by(|(key, sequence, _), (other, than, _)| key.cmp(other).then(than.cmp(sequence)));
    rows.dedup_by_key(|(key, ..)| *key);
    Layer::complete(rows.into_iter(), last)
}

impl Frames {
    /// Returns the frame after a position.
    fn follower(&self, last: Applied) -> Option<&Found> {
        let candidates = self.after.get(&last.sequence)?.iter();
        let follows =
            |found: &&Found| found.frame.previous == last.chain && found.frame.opening >= last.opening;
        candidates.filter(follows).max_by_key(|found| found.frame.opening)
    }

    fn add(&mut self, at: u64, frame: Frame, bytes: &[u8], applied: Applied) {
        self.synced = self.synced.max(frame.synced);
        self.opening = self.opening.max(frame.opening);
        // A frame that repeats applied frames only, or follows one of them, is not needed.
        if let Some(follows) = frame.follows().filter(|follows| *follows >= applied.sequence) {
            let changes = bytes.get(HEADER_BYTES..frame.unpadded()).unwrap_or_default().into();
            self.after.entry(follows).or_default().push(Found { at, frame, changes });
        }
    }
}

/// Searches all blocks for sound frames.
fn find(disk: &dyn Disk, log: LogId, len: u64, applied: Applied) -> Result<Frames, StorageFault> {
    let (mut part, mut frame_bytes) = (Vec::new(), Vec::new());
    let mut frames = Frames::default();
    let mut at = FIRST;
    while at + BLOCK_BYTES as u64 <= len {
        let count = usize::try_from(len - at).unwrap_or(usize::MAX).min(PART_BYTES);
        part.resize(count, 0);
        disk.read(at, &mut part).map_err(io_fault)?;
        let mut place = 0;
        while let Some(rest) = part.get(place..).filter(|rest| rest.len() >= BLOCK_BYTES) {
            let here = at + place as u64;
            place += BLOCK_BYTES;
            let Some(frame) = Frame::header(log, rest).filter(|frame| frame.len() <= len - here) else {
                continue;
            };
            let frame_len = usize::try_from(frame.len()).unwrap_or(usize::MAX);
            let bytes = if let Some(bytes) = rest.get(..frame_len) {
                bytes
            } else {
                frame_bytes.resize(frame_len, 0);
                disk.read(here, &mut frame_bytes).map_err(io_fault)?;
                &frame_bytes
            };
            if frame.matches(here, bytes) {
                frames.add(here, frame, bytes, applied);
                place += frame_len - BLOCK_BYTES;
            }
        }
        at += place as u64;
    }
    Ok(frames)
}

fn damaged(sequence: u64) -> StorageFault {
    let what =
        format!("frame {sequence} of the log is damaged or missing, although it was on stable storage");
    StorageFault::Corrupt { what }
}
