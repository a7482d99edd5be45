//! One group of commits in the log: consecutive blocks with its changes.
//!
//! ```text
//! change  | key length | value length, or FFFFFFFF for a removal | key | value |
//!           u32          u32
//! ```
//!
//! A frame that repeats `n` frames contains their changes, and replaces the `n` frames before its number.

use super::{
    block::{Block, HEADER_BYTES, PAYLOAD_BYTES},
    changes::Changes,
};
use crate::engine::{BLOCK_BYTES, LogId};

/// Length of a value that stands for a removal.
const REMOVED: u32 = u32::MAX;

/// Header of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// At most this number of blocks follow before the next sync, or [`SHORT_BLOCKS`](super::scan::SHORT_BLOCKS).
    pub(super) next: u32,
}

impl Frame {
    /// Encodes the blocks of the frame at the position `at` into `buffer`. Returns the checksum of the frame.
    pub(super) fn encode(self, log: LogId, at: u64, changes: &Changes, buffer: &mut Vec<u8>) -> u32 {
        buffer.clear();
        buffer.resize(HEADER_BYTES, 0);
        for (key, value) in changes.iter() {
            let len = value.map_or(REMOVED, |value| length(value.len()));
            push(buffer, &length(key.len()).to_le_bytes());
            push(buffer, &len.to_le_bytes());
            push(buffer, key);
            push(buffer, value.unwrap_or_default());
        }
        buffer.resize(buffer.len().next_multiple_of(BLOCK_BYTES), 0);
        let first = number(at);
        let sums = buffer.chunks_exact_mut(BLOCK_BYTES).zip(0_u32..).map(|(block, index)| {
            Block { frame: self, number: first.saturating_add(index), index }.seal(log, block)
        });
        sums.fold(0, chained)
    }

    /// Returns the number of the frame that this one follows.
    pub(super) fn follows(&self) -> Option<u64> {
        self.sequence.checked_sub(1 + u64::from(self.repeats))
    }

    /// Returns the number of bytes in the file.
    pub(super) fn len(&self) -> u64 {
        u64::from(blocks(usize::try_from(self.bytes).unwrap_or(usize::MAX))) * BLOCK_BYTES as u64
    }
}

/// Appends bytes of changes, and room for the header at the start of each block.
fn push(buffer: &mut Vec<u8>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        if buffer.len().is_multiple_of(BLOCK_BYTES) {
            buffer.resize(buffer.len() + HEADER_BYTES, 0);
        }
        let room = BLOCK_BYTES - buffer.len() % BLOCK_BYTES;
        let (now, rest) = bytes.split_at(room.min(bytes.len()));
        buffer.extend_from_slice(now);
        bytes = rest;
    }
}

/// Returns the checksum of a frame with one more block: the checksum of the checksums of its blocks.
pub(super) fn chained(sum: u32, block: u32) -> u32 {
    crc32c::crc32c_append(sum, &block.to_le_bytes())
}

/// Returns the number of the block at a position.
pub(super) fn number(at: u64) -> u32 {
    u32::try_from(at / BLOCK_BYTES as u64).unwrap_or(u32::MAX)
}

/// Returns the number of blocks of a frame with changes of `bytes` bytes.
pub(super) fn blocks(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(PAYLOAD_BYTES)).unwrap_or(u32::MAX).max(1)
}

/// Returns the number of bytes of a change in a frame.
pub(super) fn change_len(key: &[u8], value: Option<&[u8]>) -> usize {
    8 + key.len() + value.map_or(0, <[u8]>::len)
}

/// Passes the changes of a frame to `visit`, in key order. Returns `None` if they end early.
pub(crate) fn decode<'c>(
    mut changes: &'c [u8],
    mut visit: impl FnMut(&'c [u8], Option<&'c [u8]>),
) -> Option<()> {
    while !changes.is_empty() {
        let ((key, value), rest) = first(changes)?;
        visit(key, value);
        changes = rest;
    }
    Some(())
}

/// A change, and the bytes after it.
type First<'c> = ((&'c [u8], Option<&'c [u8]>), &'c [u8]);

/// Returns the first change of a frame, and the bytes after it. Returns `None` if it is incomplete.
pub(super) fn first(changes: &[u8]) -> Option<First<'_>> {
    let (key_len, rest) = changes.split_first_chunk()?;
    let (value_len, rest) = rest.split_first_chunk()?;
    let (key, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*key_len)).ok()?)?;
    let len = u32::from_le_bytes(*value_len);
    if len == REMOVED {
        return Some(((key, None), rest));
    }
    let (value, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    Some(((key, Some(value)), rest))
}

/// Appends a change in the encoding of a frame, without division into blocks.
pub(crate) fn encode_change(key: &[u8], value: Option<&[u8]>, into: &mut Vec<u8>) {
    into.extend_from_slice(&length(key.len()).to_le_bytes());
    into.extend_from_slice(&value.map_or(REMOVED, |value| length(value.len())).to_le_bytes());
    into.extend_from_slice(key);
    into.extend_from_slice(value.unwrap_or_default());
}

/// Converts a length. Larger groups are not written to the log, so the value always fits.
fn length(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(REMOVED)
}

#[cfg(test)]
mod tests {
    use super::{super::block::Content, *};

    #[test]
    fn a_frame_reads_back_from_its_blocks() {
        for len in [0, 1, 3_900, 4_032 - 44, 4_032 - 43, 8_064 - 44, 20_000] {
            let mut changes = Changes::default();
            changes.set(b"key", Some(b"value"));
            changes.set(b"", Some(b""));
            changes.set(b"gone", None);
            changes.set(b"z", Some(&vec![7; len]));
            let bytes = u32::try_from(changes.bytes()).unwrap();
            let frame = Frame { sequence: 9, synced: 7, opening: 3, previous: 5, bytes, repeats: 2, next: 0 };
            let mut buffer = Vec::new();
            let sum = frame.encode([4; 16], 8192, &changes, &mut buffer);
            assert_eq!(buffer.len() as u64, frame.len(), "{len}");
            let (mut read, mut found_sum) = (Vec::new(), 0);
            for (block, index) in buffer.chunks(BLOCK_BYTES).zip(0..) {
                let Content::Sound(header, sum) = Content::of([4; 16], block) else { panic!("{index}") };
                assert_eq!(header, Block { frame, number: 2 + index, index });
                let (fields, payload) = block.split_first_chunk().unwrap();
                let mut payload = payload.to_vec();
                header.whiten(fields, &mut payload);
                read.extend_from_slice(&payload);
                found_sum = chained(found_sum, sum);
            }
            assert_eq!(found_sum, sum);
            let mut found = Changes::default();
            decode(&read[..changes.bytes()], |key, value| found.set(key, value)).unwrap();
            assert!(found.iter().eq(changes.iter()), "{len}");
        }
    }
}
