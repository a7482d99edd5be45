//! One group of commits in the log.
//!
//! ```text
//! frame   | header, 64 bytes | changes | zeros up to the next block |
//!
//! header  | log id | sequence | synced | opening | previous | changes length | repeats | zeros | checksum |
//!           16       u64        u64      u32       u32        u32              u32       12      u32
//!
//! change  | key length | value length, or FFFFFFFF for a removal | key | value |
//!           u32          u32
//! ```
//!
//! The checksum covers the position in the file, the header before it, and the changes.
//!
//! A frame that repeats `n` frames contains their changes, and replaces the `n` frames before its number.

use super::changes::{Change, Changes};
use crate::engine::{BLOCK_BYTES, LogId};

pub(super) const HEADER_BYTES: usize = 64;
const SUM_AT: usize = HEADER_BYTES - 4;
/// Length of a value that stands for a removal.
const REMOVED: u32 = u32::MAX;

/// Header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Number of the frame; consecutive.
    pub(super) sequence: u64,
    /// All frames up to this number were on stable storage when this frame was written.
    pub(super) synced: u64,
    /// Number of the opening of the store that wrote the frame.
    pub(super) opening: u32,
    /// Checksum of the previous frame that it does not repeat.
    pub(super) previous: u32,
    /// Length of the changes in bytes.
    pub(super) bytes: u32,
    /// Number of frames before this one that it replaces.
    pub(super) repeats: u32,
    /// Checksum of this frame.
    pub(super) sum: u32,
}

impl Frame {
    /// Encodes the changes at the position `at` into `buffer`. Returns the checksum of the frame.
    pub(super) fn encode(self, log: LogId, at: u64, changes: &Changes, buffer: &mut Vec<u8>) -> u32 {
        buffer.clear();
        buffer.extend_from_slice(&log);
        buffer.extend_from_slice(&self.sequence.to_le_bytes());
        buffer.extend_from_slice(&self.synced.to_le_bytes());
        for number in [self.opening, self.previous, self.bytes, self.repeats] {
            buffer.extend_from_slice(&number.to_le_bytes());
        }
        buffer.resize(HEADER_BYTES, 0);
        for (key, value) in changes.iter() {
            let len = value.map_or(REMOVED, |value| length(value.len()));
            buffer.extend_from_slice(&length(key.len()).to_le_bytes());
            buffer.extend_from_slice(&len.to_le_bytes());
            buffer.extend_from_slice(key);
            buffer.extend_from_slice(value.unwrap_or_default());
        }
        let sum =
            sum(at, buffer.get(..SUM_AT).unwrap_or_default(), buffer.get(HEADER_BYTES..).unwrap_or_default());
        for (place, byte) in buffer.iter_mut().skip(SUM_AT).zip(sum.to_le_bytes()) {
            *place = byte;
        }
        buffer.resize(buffer.len().next_multiple_of(BLOCK_BYTES), 0);
        sum
    }

    /// Decodes the header of a frame of this log, without its checksum.
    pub(super) fn header(log: LogId, block: &[u8]) -> Option<Self> {
        let rest = block.strip_prefix(&log)?;
        let (sequence, rest) = rest.split_first_chunk()?;
        let (synced, rest) = rest.split_first_chunk()?;
        let (opening, rest) = rest.split_first_chunk()?;
        let (previous, rest) = rest.split_first_chunk()?;
        let (bytes, rest) = rest.split_first_chunk()?;
        let (repeats, _) = rest.split_first_chunk()?;
        let sum = block.get(SUM_AT..)?.first_chunk()?;
        Some(Self {
            sequence: u64::from_le_bytes(*sequence),
            synced: u64::from_le_bytes(*synced),
            opening: u32::from_le_bytes(*opening),
            previous: u32::from_le_bytes(*previous),
            bytes: u32::from_le_bytes(*bytes),
            repeats: u32::from_le_bytes(*repeats),
            sum: u32::from_le_bytes(*sum),
        })
    }

    /// Returns whether the bytes of the frame at the position `at` match its checksum.
    pub(super) fn matches(&self, at: u64, frame: &[u8]) -> bool {
        let changes = frame.get(HEADER_BYTES..self.unpadded());
        let parts = frame.get(..SUM_AT).zip(changes);
        parts.is_some_and(|(header, changes)| sum(at, header, changes) == self.sum)
    }

    /// Returns the number of the frame that this one follows.
    pub(super) fn follows(&self) -> Option<u64> {
        self.sequence.checked_sub(1 + u64::from(self.repeats))
    }

    /// Returns the number of bytes of the header and the changes.
    pub(super) fn unpadded(&self) -> usize {
        usize::try_from(self.bytes).unwrap_or(usize::MAX).saturating_add(HEADER_BYTES)
    }

    /// Returns the number of bytes in the file.
    pub(super) fn len(&self) -> u64 {
        file_len(u64::from(self.bytes))
    }
}

/// Returns the length in the file of a frame with changes of `bytes` bytes.
pub(super) fn file_len(bytes: u64) -> u64 {
    (bytes + HEADER_BYTES as u64).next_multiple_of(BLOCK_BYTES as u64)
}

/// Returns the number of bytes of a change in a frame.
pub(super) fn change_len(key: &[u8], value: Option<&[u8]>) -> usize {
    8 + key.len() + value.map_or(0, <[u8]>::len)
}

/// Passes the changes of a frame to `visit`, in key order. Returns `None` if they end early.
pub(super) fn decode<'c>(mut changes: &'c [u8], mut visit: impl FnMut(&'c [u8], Change<'c>)) -> Option<()> {
    while !changes.is_empty() {
        let (key_len, rest) = changes.split_first_chunk()?;
        let (value_len, rest) = rest.split_first_chunk()?;
        let (key, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*key_len)).ok()?)?;
        let value_len = Some(u32::from_le_bytes(*value_len)).filter(|len| *len != REMOVED);
        let Some(len) = value_len else {
            visit(key, None);
            changes = rest;
            continue;
        };
        let (value, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
        visit(key, Some(value));
        changes = rest;
    }
    Some(())
}

/// Converts a length. Larger groups are not written to the log, so the value always fits.
fn length(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(REMOVED)
}

fn sum(at: u64, header: &[u8], changes: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c_append(crc32c::crc32c(&at.to_le_bytes()), header), changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_reads_back_only_at_its_position_and_with_all_its_bits() {
        let mut changes = Changes::default();
        changes.set(b"key", Some(b"value"));
        changes.set(b"", Some(b""));
        changes.set(b"gone", None);
        let bytes = u32::try_from(changes.bytes()).unwrap();
        let frame = Frame { sequence: 9, synced: 7, opening: 3, previous: 5, bytes, repeats: 2, sum: 0 };
        let mut buffer = Vec::new();
        let sum = frame.encode([4; 16], 8192, &changes, &mut buffer);
        assert_eq!(buffer.len() as u64, frame.len());
        let read = Frame::header([4; 16], &buffer).unwrap();
        assert_eq!(read, Frame { sum, ..frame });
        assert!(read.matches(8192, &buffer) && !read.matches(4096, &buffer));
        assert_eq!(Frame::header([5; 16], &buffer), None, "a frame of another log");
        let mut found = Vec::new();
        let visit = |key: &[u8], value: Change<'_>| found.push((key.to_vec(), value.map(<[u8]>::to_vec)));
        decode(&buffer[HEADER_BYTES..read.unpadded()], visit).unwrap();
        let row = |key: &[u8], value: Option<&[u8]>| (key.to_vec(), value.map(<[u8]>::to_vec));
        assert_eq!(found, [row(b"", Some(b"")), row(b"gone", None), row(b"key", Some(b"value"))]);
        for bit in 0..read.unpadded() * 8 {
            buffer[bit / 8] ^= 1 << (bit % 8);
            let sound = Frame::header([4; 16], &buffer).is_some_and(|frame| frame.matches(8192, &buffer));
            assert!(!sound, "bit {bit}");
            buffer[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
