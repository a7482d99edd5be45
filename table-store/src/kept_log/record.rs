//! Records of a segment.
//!
//! ```text
//! record  | kind | changes length | number | time | checksum of the commit | checksum of the head | changes |
//!           u32    u32              u64      i64    u32                      u32
//! ```
//!
//! The checksum of a commit continues that of the previous commit, also across segments: a missing, reordered or changed
//! commit breaks the chain. It is the lower half of an XXH64, because the changes contain records that end with a CRC32C.
//! The checksum of the head covers the place of the record too, so each head is valid alone and nowhere else: a commit
//! behind a damaged one is recognized, although it cannot be verified.

use super::segment::Position;
use crate::{
    engine::{LogId, SECTOR_BYTES},
    xxh64::xxh64,
};

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

    /// Returns whether one changed bit in the sector of the head explains why the commit is not sound.
    pub(super) fn is_flipped(&self, before: &Position, changes: &[u8]) -> bool {
        let mut hashed = Hashed::of(before.sum, self.number, self.time, changes);
        (0..hashed.first_bits()).any(|bit| {
            hashed.flip(bit);
            let is_original = hashed.sum() == self.sum;
            hashed.flip(bit);
            is_original
        })
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

fn commit_sum(previous: u32, number: u64, time: i64, changes: &[u8]) -> u32 {
    Hashed::of(previous, number, time, changes).sum()
}

/// Number of bytes of changes in the sector of the head.
const FIRST_BYTES: usize = SECTOR_BYTES - HEAD_BYTES;
/// Length of the fields before them in the checksum of a commit.
const FIELD_BYTES: usize = 28;

/// What the checksum of a commit covers: the previous checksum, number, time, the XXH64 of the changes after the sector of
/// the head, and the changes in this sector. So a changed bit in the sector can be sought, also in a long commit.
struct Hashed {
    bytes: [u8; FIELD_BYTES + FIRST_BYTES],
    len: usize,
}

impl Hashed {
    fn of(previous: u32, number: u64, time: i64, changes: &[u8]) -> Self {
        let (first, rest) = changes.split_at(changes.len().min(FIRST_BYTES));
        let fields = previous.to_le_bytes().into_iter().chain(number.to_le_bytes());
        let fields = fields.chain(time.to_le_bytes()).chain(xxh64(rest).to_le_bytes());
        let mut hashed = Self { bytes: [0; FIELD_BYTES + FIRST_BYTES], len: FIELD_BYTES + first.len() };
        for (place, byte) in hashed.bytes.iter_mut().zip(fields.chain(first.iter().copied())) {
            *place = byte;
        }
        hashed
    }

    fn sum(&self) -> u32 {
        let hash = xxh64(self.bytes.get(..self.len).unwrap_or_default()) & u64::from(u32::MAX);
        u32::try_from(hash).unwrap_or(u32::MAX)
    }

    /// Returns the number of bits of the changes in the sector of the head.
    const fn first_bits(&self) -> usize {
        (self.len - FIELD_BYTES) * 8
    }

    /// Changes a bit of the changes in the sector of the head.
    fn flip(&mut self, bit: usize) {
        if let Some(byte) = self.bytes.get_mut(FIELD_BYTES + bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
    }
}

fn head_sum(site: Site, bytes: &[u8]) -> u32 {
    let sum = crc32c::crc32c_append(crc32c::crc32c(&site.log), &site.first.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c_append(sum, &site.offset.to_le_bytes()), bytes)
}
