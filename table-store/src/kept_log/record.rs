//! Records of a segment.
//!
//! ```text
//! record  | kind | changes length | number | time | checksum of the commit | checksum of the head | changes |
//!           u32    u32              u64      i64    u32                      u32
//! ```
//!
//! The checksum of a commit continues that of the previous commit, also across segments: a missing, reordered or changed
//! commit breaks the chain. The checksum of the head covers the place of the record too, so each head is valid alone and
//! nowhere else: a commit behind a damaged one is recognized, although it cannot be verified.

use super::segment::Position;
use crate::{checksum::changed_bit, engine::LogId};

/// Number of bytes before the changes of a record.
pub(super) const HEAD_BYTES: usize = 32;
const SUM_AT: usize = HEAD_BYTES - 4;

/// Kind of a record. A mark has no changes. It repeats the number and the checksum of the commit before it, and is
/// written only when the store contains that commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit = 1,
    /// Mark: the log ends here at this time. The next commit overwrites it.
    End = 2,
    /// Mark: the next segment exists.
    Continued = 3,
}

/// Place of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) log: LogId,
    /// Number of the first commit of the segment.
    pub(super) first: u64,
    /// Offset in the segment.
    pub(super) offset: u64,
}

/// Head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) len: u32,
    pub(super) number: u64,
    pub(super) time: i64,
    /// Checksum of the commit and all commits before it.
    pub(super) sum: u32,
}

impl Head {
    /// Returns a mark after a commit.
    pub(super) fn mark(kind: Kind, last: &Position, time: i64) -> Self {
        Self { kind, len: 0, number: last.number, time, sum: last.sum }
    }

    pub(super) fn encode(&self, site: Site) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        let numbers = (self.kind as u32).to_le_bytes().into_iter().chain(self.len.to_le_bytes());
        let fields = numbers.chain(self.number.to_le_bytes()).chain(self.time.to_le_bytes());
        for (place, byte) in bytes.iter_mut().zip(fields.chain(self.sum.to_le_bytes())) {
            *place = byte;
        }
        let sum = head_sum(site, bytes.get(..SUM_AT).unwrap_or_default());
        for (place, byte) in bytes.iter_mut().skip(SUM_AT).zip(sum.to_le_bytes()) {
            *place = byte;
        }
        bytes
    }

    /// Returns the head at the start of `bytes`, if it is valid at this place.
    pub(super) fn decode(site: Site, bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first_chunk()?;
        // Cheap, and excludes almost all other content.
        let kind = match u32::from_le_bytes(*kind) {
            1 => Kind::Commit,
            2 => Kind::End,
            3 => Kind::Continued,
            _ => return None,
        };
        let (len, rest) = rest.split_first_chunk()?;
        let (number, rest) = rest.split_first_chunk()?;
        let (time, rest) = rest.split_first_chunk()?;
        let (sum, rest) = rest.split_first_chunk()?;
        let found = u32::from_le_bytes(*rest.first_chunk()?);
        (head_sum(site, bytes.get(..SUM_AT)?) == found).then_some(Self {
            kind,
            len: u32::from_le_bytes(*len),
            number: u64::from_le_bytes(*number),
            time: i64::from_le_bytes(*time),
            sum: u32::from_le_bytes(*sum),
        })
    }

    /// Returns the number of the last commit that the store contained when the record was written.
    pub(super) const fn committed(&self) -> u64 {
        match self.kind {
            Kind::Commit => self.number.saturating_sub(1),
            Kind::End | Kind::Continued => self.number,
        }
    }

    /// Returns the position after a commit, if its checksum continues the previous commit.
    pub(super) fn follows(&self, before: &Position, changes: &[u8]) -> Option<Position> {
        let Self { kind, number, time, sum, .. } = *self;
        let sound = kind == Kind::Commit
            && number == before.number.checked_add(1)?
            && sum == commit_sum(before.sum, number, time, changes);
        sound.then_some(Position { number, time, sum, ..*before })
    }

    /// Returns the offset in the changes of a byte with one changed bit, if this explains why the commit is not sound.
    pub(super) fn changed_byte(&self, before: &Position, changes: &[u8]) -> Option<usize> {
        let sum = commit_sum(before.sum, self.number, self.time, changes);
        let bit = changed_bit((changes.len() + FIELD_BYTES) * 8, sum ^ self.sum)?;
        (bit / 8).checked_sub(FIELD_BYTES)
    }
}

/// Encodes a commit. Returns the position after it, or `None` if the changes are too large.
pub(super) fn encode(
    before: &Position,
    site: Site,
    time: i64,
    changes: &[u8],
    buffer: &mut Vec<u8>,
) -> Option<Position> {
    let number = before.number.checked_add(1)?;
    let len = u32::try_from(changes.len()).ok()?;
    let sum = commit_sum(before.sum, number, time, changes);
    buffer.clear();
    buffer.extend_from_slice(&Head { kind: Kind::Commit, len, number, time, sum }.encode(site));
    buffer.extend_from_slice(changes);
    Some(Position { number, time, sum, ..*before })
}

/// Length of number and time.
const FIELD_BYTES: usize = 16;

fn commit_sum(previous: u32, number: u64, time: i64, changes: &[u8]) -> u32 {
    let sum = crc32c::crc32c_append(previous, &number.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c_append(sum, &time.to_le_bytes()), changes)
}

fn head_sum(site: Site, bytes: &[u8]) -> u32 {
    let sum = crc32c::crc32c_append(crc32c::crc32c(&site.log), &site.first.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c_append(sum, &site.offset.to_le_bytes()), bytes)
}
