//! What follows the last sound commit of a segment.
//!
//! A crash leaves little there. A commit is written only after the file ends with the previous one, or with a mark behind it, on
//! stable storage. So a power failure leaves the bytes that were there before, the new ones, or garbage, in each sector of
//! one commit. Everything else is damage.

use super::{
    record::{HEAD_BYTES, Head, Kind},
    segment::{Position, Segment},
};
use crate::engine::SECTOR_BYTES;

/// What follows the last sound commit of a segment, number `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    Nothing,
    /// A mark: the store contained commit `n`, and no later one at this time in ticks.
    Confirmed(i64),
    /// A mark: the next segment exists.
    Continued,
    /// A commit that was being written. `after_mark`: the store contained commit `n`.
    Incomplete { after_mark: bool },
    /// Damage that hides commits up to this number.
    Damaged(u64),
}

impl Tail {
    /// Returns whether the store contained the last sound commit.
    pub(super) const fn proves_last(self) -> bool {
        match self {
            Self::Nothing | Self::Incomplete { after_mark: false } => false,
            Self::Confirmed(_)
            | Self::Continued
            | Self::Incomplete { after_mark: true }
            | Self::Damaged(_) => true,
        }
    }
}

impl Segment {
    /// Examines the bytes after the last sound commit, which ends at an offset.
    pub(super) fn tail(&self, end: usize, last: Position) -> Tail {
        let Some(next) = last.number.checked_add(1) else { return Tail::Nothing };
        let at = end.next_multiple_of(SECTOR_BYTES);
        let heads = self.offsets(end).filter_map(|at| self.head(at));
        // The store contained a later commit, or that one was being written after it.
        let later = heads.filter(|head| head.committed() > last.number).map(|head| head.number).max();
        if let Some(later) = later {
            return Tail::Damaged(later);
        }
        let (head, is_flipped) = match self.head(at) {
            Some(head) => (head, self.is_flipped(at, &head, &last)),
            None => match self.head_before_a_flip(at) {
                Some(head) => (head, true),
                None if self.bytes.len() == end => return Tail::Nothing,
                None => return Tail::Incomplete { after_mark: false },
            },
        };
        let record_end =
            at.saturating_add(HEAD_BYTES).saturating_add(head.len.try_into().unwrap_or(usize::MAX));
        let is_last = head.number == last.number && head.sum == last.sum;
        match head.kind {
            Kind::Continued if is_last => Tail::Continued,
            // The next commit was being written over the mark.
            Kind::End if is_last && record_end < self.bytes.len() => Tail::Incomplete { after_mark: true },
            Kind::End if is_last => Tail::Confirmed(head.time),
            Kind::Commit if head.number == next && !is_flipped && self.bytes.len() <= record_end => {
                Tail::Incomplete { after_mark: true }
            }
            _ => Tail::Damaged(next),
        }
    }

    /// Returns whether one changed bit in the sector of the head explains why a commit is not sound. A power failure leaves
    /// such a commit with a probability of 1 in a million. In a later sector, it can leave zeros where one bit was written.
    fn is_flipped(&self, at: usize, head: &Head, last: &Position) -> bool {
        let changes = self.bytes.get(at + HEAD_BYTES..).unwrap_or_default();
        let changes = usize::try_from(head.len).ok().and_then(|len| changes.get(..len));
        changes.is_some_and(|changes| head.is_flipped(last, changes))
    }

    /// Returns the head at an offset, if it is valid after a change of one bit.
    fn head_before_a_flip(&self, at: usize) -> Option<Head> {
        let found: &[u8; HEAD_BYTES] = self.bytes.get(at..)?.first_chunk()?;
        (0..HEAD_BYTES * 8).find_map(|bit| {
            let mut head = *found;
            *head.get_mut(bit / 8)? ^= 1 << (bit % 8);
            Head::decode(self.site(at), &head)
        })
    }
}
