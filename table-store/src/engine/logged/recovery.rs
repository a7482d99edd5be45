//! Reading of the frames that are not in the file.
//!
//! A frame is applied if it follows the previous frame's number, refers to the previous frame's checksum, and has no
//! earlier opening. A frame that an earlier opening wrote after a lost frame, and a frame of an earlier use of the same
//! blocks, fails one of these. Of two frames after the same frame, the one of the later opening replaces the other.
//!
//! Where no such frame follows, the log ends, torn by a crash, unless some block shows that it did not end there: it
//! reports that a later number was on stable storage, or belongs to a later frame and has one changed bit, or contains
//! what no crash leaves. The evidence may be in any block, so all blocks are read, also those after the end: the length of
//! the log bounds the time.

use std::{mem, ops::Range, sync::Arc};

use table_model::StorageFault;

use super::{
    changes::Changes,
    frame,
    frame_rows::{FrameRows, RecoveredFrame},
    layer::Layer,
    log::{FIRST, Head},
    scan::{self, Found, Frames, SHORT_BLOCKS},
    view::Frozen,
};
use crate::{disk::Disk, engine::Applied};

/// Content of a log.
#[derive(Debug)]
pub(super) struct Recovered {
    /// The rows of the frames; `None` if the file contains all frames.
    pub(super) frozen: Option<Frozen>,
    /// Position after the last frame.
    pub(super) last: Applied,
    /// Highest opening of any frame.
    pub(super) opening: u32,
    pub(super) head: Head,
    /// End of the last sound block of any frame.
    pub(super) end: u64,
    pub(super) unsure: Unsure,
    /// Reason why acknowledged commits may be missing after the last frame.
    pub(super) damage: Option<String>,
}

/// What must be written again before the next frame: the frames that no frame reports as synced. They may be in memory of
/// the system only: it may have dropped writes after a failed sync, although they can still be read, and another sync would
/// not tell.
#[derive(Debug)]
pub(super) struct Unsure {
    /// Their changes.
    pub(super) changes: Changes,
    /// Position after the last synced frame.
    pub(super) follows: Applied,
    /// Number of blocks that may be written after them before a sync.
    pub(super) announced: u32,
    /// Blocks that a power failure left with other bytes than those of the log, or with a part of a frame. The other part
    /// could come from a later frame at this place, if another power failure left only a part of that one.
    pub(super) incomplete: Vec<Range<u64>>,
}

/// Reads the frames of a log after `applied`, up to the end or to damage.
pub(super) fn read(disk: &dyn Disk, head: Head, applied: Applied) -> Result<Recovered, StorageFault> {
    let mut frames = scan::scan(disk, &head, applied)?;
    let mut last = applied;
    let mut unsure = Unsure {
        changes: Changes::default(),
        follows: applied,
        announced: SHORT_BLOCKS,
        incomplete: [mem::take(&mut frames.unknown), mem::take(&mut frames.torn)].concat(),
    };
    let (mut start, mut end) = (frames.end, FIRST);
    let mut rows = Vec::new();
    let mut undecoded = None;
    while let Some(Found { at, frame, sum, changes }) = frames.take_follower(last) {
        let is_unsure = frame.sequence > frames.synced;
        let add = |key, value| {
            if is_unsure {
                unsure.changes.set(key, value);
            }
        };
        if frame::decode(&changes, add).is_none() {
            undecoded = Some(frame.sequence);
            break;
        }
        rows.push(RecoveredFrame { sequence: frame.sequence, changes });
        last = Applied { sequence: frame.sequence, chain: sum, opening: frame.opening, ..applied };
        if !is_unsure {
            unsure.follows = last;
            unsure.announced = unsure.announced.max(frame.next);
        }
        (start, end) = (start.min(at), end.max(at + frame.len()));
    }
    let damage = undecoded.map(damaged).or_else(|| frames.damage(&head, last));
    let frozen = (last != applied).then(|| {
        let layer = Arc::new(Layer::complete(FrameRows::new(rows), last.sequence));
        Frozen { layer, last, start, end }
    });
    let opening = frames.opening.max(applied.opening);
    Ok(Recovered { frozen, last, opening, head, end: frames.end, unsure, damage })
}

impl Frames {
    /// Returns the reason why frames after the last one may be missing.
    fn damage(&self, head: &Head, last: Applied) -> Option<String> {
        if self.synced > last.sequence {
            return Some(damaged(last.sequence + 1));
        }
        if self.flipped > last.sequence {
            return Some(format!("a bit of frame {} was changed", self.flipped));
        }
        if head.number < last.head && head.other_is_damaged {
            return Some(format!(
                "one copy of its head is damaged, and the other one is older, with the number {} instead of at least {}",
                head.number, last.head
            ));
        }
        if head.number < last.head {
            return Some(format!(
                "it is an older copy with the number {} instead of at least {}",
                head.number, last.head
            ));
        }
        self.strange.clone()
    }
}

fn damaged(sequence: u64) -> String {
    format!("frame {sequence} is damaged or missing, although it was on stable storage")
}
