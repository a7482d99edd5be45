//! One block of the log: a part of a frame, or a filler that was written ahead.
//!
//! ```text
//! block   | header, 64 bytes | a part of the changes, and zeros up to the end of the block |
//!
//! header  | log id | sequence | synced | opening | number | index | previous | length | repeats | next | checksum |
//!           16       u64        u64      u32       u32      u32     u32        u32      u32       u32    u32
//! ```
//!
//! The part of the changes, and all of the first sector, is combined (XOR) with a pseudorandom sequence that the header
//! determines. Rows end with a CRC32C, so a row in place of another one of the same length would not change the checksum of
//! the block: a block that a power failure tears between two rows would look complete. With the sequence, the earlier
//! content of a block differs from its new content nearly everywhere.
//!
//! Every block of a frame contains the frame's header, its number in the log and its index in the frame. A filler has the
//! sequence 0. So each block tells what it belongs to, and a block that tells nothing was damaged, or was being written
//! when the power failed.

use table_model::split_mix::SplitMix64;

use super::frame::Frame;
use crate::{
    checksum::changed_bit,
    engine::{BLOCK_BYTES, LogId, SECTOR_BYTES},
};

pub(super) const HEADER_BYTES: usize = 64;
/// Number of bytes of changes in a block.
pub(super) const PAYLOAD_BYTES: usize = BLOCK_BYTES - HEADER_BYTES;
const SUM_AT: usize = HEADER_BYTES - 4;
/// Number of bits under the checksum.
const BITS: usize = (BLOCK_BYTES - 4) * 8;

/// Header of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Frame to which the block belongs; all zeros in a filler.
    pub(super) frame: Frame,
    /// Number of the block in the log.
    pub(super) number: u32,
    /// Number of the block in the frame.
    pub(super) index: u32,
}

/// Number of bytes at the end of the first sector in which one changed bit is not recognized. A power failure may leave
/// the earlier content of the last bytes of a sector, which can differ by one bit.
const TORN_BYTES: usize = 8;

/// What a block contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A block of this log, and its checksum.
    Sound(Block, u32),
    /// This block of this log, after one of its bits was changed. Blocks that a power failure tears are practically never
    /// one bit from a sound one.
    Flipped(Block),
    /// A header of zeros, which is never written.
    Zeros,
    /// A header of this log with other content, as after a power failure during the write.
    Torn,
    /// Anything else.
    Unknown,
}

impl Block {
    /// Writes the header and the checksum into a block that contains its part of the changes.
    pub(super) fn seal(self, log: LogId, block: &mut [u8]) -> u32 {
        let Self { frame, number, index } = self;
        let mut header = [0; HEADER_BYTES];
        let sequences = [frame.sequence, frame.synced].map(u64::to_le_bytes);
        let numbers = [frame.opening, number, index, frame.previous, frame.bytes, frame.repeats, frame.next];
        let numbers = numbers.map(u32::to_le_bytes);
        let fields = log.iter().chain(sequences.as_flattened()).chain(numbers.as_flattened());
        for (place, byte) in header.iter_mut().zip(fields) {
            *place = *byte;
        }
        self.whiten(&header, block.get_mut(HEADER_BYTES..).unwrap_or_default());
        let sum = sum(&header, block.get(HEADER_BYTES..).unwrap_or_default());
        for (place, byte) in header.iter_mut().skip(SUM_AT).zip(sum.to_le_bytes()) {
            *place = byte;
        }
        for (place, byte) in block.iter_mut().zip(header) {
            *place = byte;
        }
        sum
    }

    /// Combines a payload with the pseudorandom sequence of the header, in the first sector and as far as it contains
    /// changes. A second call restores the payload.
    pub(super) fn whiten(&self, header: &[u8; HEADER_BYTES], payload: &mut [u8]) {
        // Different for each write of a block.
        let fields = header.get(..SUM_AT).unwrap_or_default();
        let halves = fields.split_at_checked(SUM_AT / 2).unwrap_or_default();
        let state = u64::from(crc32c::crc32c(halves.0)) << 32 | u64::from(crc32c::crc32c(halves.1));
        let mut sequence = SplitMix64(state);
        let (words, _) = payload.as_chunks_mut();
        for word in words.iter_mut().take(self.whitened_words()) {
            *word = (u64::from_le_bytes(*word) ^ sequence.draw()).to_le_bytes();
        }
    }

    fn whitened_words(&self) -> usize {
        let bytes = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let before = bytes(self.index).saturating_mul(PAYLOAD_BYTES);
        let changes = bytes(self.frame.bytes).saturating_sub(before);
        changes.max(SECTOR_BYTES - HEADER_BYTES).div_ceil(size_of::<u64>())
    }

    /// Decodes the header, if it is of this log.
    fn decode(log: LogId, block: &[u8]) -> Option<Self> {
        let rest = block.strip_prefix(&log)?;
        let (sequence, rest) = rest.split_first_chunk()?;
        let (synced, rest) = rest.split_first_chunk()?;
        let (numbers, _) = rest.split_first_chunk::<28>()?;
        let mut numbers = numbers.chunks_exact(4).map(|bytes| bytes.try_into().map_or(0, u32::from_le_bytes));
        let mut next = || numbers.next();
        let (opening, number, index) = (next()?, next()?, next()?);
        let (previous, bytes, repeats, next) = (next()?, next()?, next()?, next()?);
        let (sequence, synced) = (u64::from_le_bytes(*sequence), u64::from_le_bytes(*synced));
        let frame = Frame { sequence, synced, opening, previous, bytes, repeats, next };
        Some(Self { frame, number, index })
    }
}

impl Content {
    /// Examines a complete block.
    pub(super) fn of(log: LogId, block: &[u8]) -> Self {
        let (Some(header), Some(payload)) = (block.first_chunk::<HEADER_BYTES>(), block.get(HEADER_BYTES..))
        else {
            return Self::Unknown;
        };
        let found = header.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        let expected = sum(header, payload);
        if found == expected {
            return Block::decode(log, block).map_or(Self::Unknown, |block| Self::Sound(block, found));
        }
        if let Some(whole) = flipped(header, found ^ expected).and_then(|header| Block::decode(log, &header))
        {
            return Self::Flipped(whole);
        }
        match header {
            header if header.iter().all(|byte| *byte == 0) => Self::Zeros,
            header if header.starts_with(&log) => Self::Torn,
            _ => Self::Unknown,
        }
    }
}

/// Returns the original header, if one changed bit in the sector of the header explains the difference of the checksums.
/// In a later sector, a power failure has the same effect: it leaves an earlier frame whose content may differ by one bit.
fn flipped(header: &[u8; HEADER_BYTES], difference: u32) -> Option<[u8; HEADER_BYTES]> {
    let mut header = *header;
    if difference.is_power_of_two() {
        return Some(header);
    }
    let end = SECTOR_BYTES - size_of::<u32>() - TORN_BYTES;
    let bit = changed_bit(BITS, difference).filter(|bit| bit / 8 < end)?;
    if let Some(byte) = header.get_mut(..SUM_AT).and_then(|header| header.get_mut(bit / 8)) {
        *byte ^= 1 << (bit % 8);
    }
    Some(header)
}

fn sum(header: &[u8; HEADER_BYTES], payload: &[u8]) -> u32 {
    let header = header.get(..SUM_AT).unwrap_or_default();
    crc32c::crc32c_append(crc32c::crc32c(header), payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum;

    const LOG: LogId = [4; 16];

    fn sealed() -> (Block, Vec<u8>, u32) {
        let frame =
            Frame { sequence: 9, synced: 7, opening: 3, previous: 5, bytes: 6_000, repeats: 2, next: 8 };
        let block = Block { frame, number: 12, index: 1 };
        let mut bytes = vec![0xa5; BLOCK_BYTES];
        let sum = block.seal(LOG, &mut bytes);
        (block, bytes, sum)
    }

    #[test]
    fn a_changed_bit_is_found_and_the_header_is_known() {
        let (block, mut bytes, sum) = sealed();
        assert_eq!(Content::of(LOG, &bytes), Content::Sound(block, sum));
        for bit in (0..HEADER_BYTES * 8).chain((HEADER_BYTES * 8..BLOCK_BYTES * 8).step_by(61)) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let expected =
                if bit / 8 < SECTOR_BYTES - TORN_BYTES { Content::Flipped(block) } else { Content::Torn };
            assert_eq!(Content::of(LOG, &bytes), expected, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }

    /// A row ends with its CRC32C, so the CRC32C of a block does not show that a row replaces another one.
    #[test]
    fn a_block_torn_between_two_rows_is_not_complete() {
        let payload = |row: &[u8]| {
            let mut row = row.to_vec();
            checksum::seal(b"key", &mut row);
            let rows = [&[7; 30], b"key".as_slice(), &row].concat();
            [&rows, &vec![0; PAYLOAD_BYTES - rows.len()][..]].concat()
        };
        let block = |sequence, row: &[u8]| {
            let frame = Frame { sequence, ..Frame::default() };
            let mut block = [&[0; HEADER_BYTES], &payload(row)[..]].concat();
            Block { frame, number: 12, index: 0 }.seal(LOG, &mut block);
            block
        };
        let (before, after) = (block(1, b"12345678"), block(9, b"87654321"));
        for torn in 1..SECTOR_BYTES {
            let block = [&after[..torn], &before[torn..]].concat();
            let content = Content::of(LOG, &block);
            let is_new = |frame: Frame| frame.sequence == 9;
            let seems_new = match content {
                Content::Sound(block, _) | Content::Flipped(block) => is_new(block.frame),
                _ => false,
            };
            assert!(!seems_new, "torn at {torn}: {content:?}");
        }
    }

    #[test]
    fn the_payload_is_restored() {
        let payload: Vec<u8> = (0..=251).cycle().take(PAYLOAD_BYTES).collect();
        let header = [3; HEADER_BYTES];
        for (bytes, index, expected) in [(0, 0, 448), (500, 0, 504), (8_064, 0, 4_032), (4_132, 1, 448)] {
            let block = Block { frame: Frame { bytes, ..Frame::default() }, number: 3, index };
            let mut whitened = payload.clone();
            block.whiten(&header, &mut whitened);
            let same = whitened.iter().zip(&payload).rev().take_while(|(one, other)| one == other).count();
            assert!(
                (PAYLOAD_BYTES - expected..PAYLOAD_BYTES - expected + 4).contains(&same),
                "{bytes}: {same}"
            );
            block.whiten(&header, &mut whitened);
            assert_eq!(whitened, payload);
        }
    }

    #[test]
    fn other_blocks_are_told_apart() {
        let (block, bytes, sum) = sealed();
        assert_eq!(Content::of([5; 16], &bytes), Content::Unknown, "a block of another log");
        assert_eq!(Content::of(LOG, &[0; BLOCK_BYTES]), Content::Zeros);
        assert_eq!(Content::of(LOG, &[0x5a; BLOCK_BYTES]), Content::Unknown);
        let mut torn = bytes.clone();
        torn[512..1024].fill(0);
        assert_eq!(Content::of(LOG, &torn), Content::Torn);
        torn[..512].fill(0);
        assert_eq!(Content::of(LOG, &torn), Content::Zeros);
        let mut filler = vec![0; BLOCK_BYTES];
        let sum_of_filler = Block { number: 7, ..Block::default() }.seal(LOG, &mut filler);
        let Content::Sound(found, _) = Content::of(LOG, &filler) else { panic!() };
        assert_eq!((found.frame.sequence, found.number), (0, 7));
        assert_ne!((sum_of_filler, found), (sum, block));
    }
}
