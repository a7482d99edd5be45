//! The checksum of a block.

use crate::xxh64::xxh64;

/// Returns the lower half of the XXH64 of a block. Never zero, which stands for a block that was not written.
///
/// A CRC32C cannot be used: records end with a CRC32C, and the CRC32C of a block does not change if a record is replaced by
/// another sound record of the same length. A stale page would be accepted.
pub(super) fn sum(block: &[u8]) -> u32 {
    let hash = xxh64(block) & u64::from(u32::MAX);
    u32::try_from(hash).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum;

    #[test]
    fn the_sum_is_the_lower_half() {
        assert_eq!(sum(&[0; 4096]), 0x32d8_bbdb);
    }

    /// Two sound records under one key have the same CRC32C in a block, but not the same sum.
    #[test]
    fn a_sound_record_in_place_of_another_changes_the_sum() {
        let block = |value: &[u8]| {
            let mut record = value.to_vec();
            checksum::seal(b"key", &mut record);
            [&[7; 100], b"key".as_slice(), &record, &[9; 4096 - 100 - 3 - 12]].concat()
        };
        let (one, two) = (block(b"12345678"), block(b"87654321"));
        assert_eq!((one.len(), crc32c::crc32c(&one)), (4096, crc32c::crc32c(&two)));
        assert_ne!(sum(&one), sum(&two));
    }

    #[test]
    fn every_changed_bit_changes_the_sum() {
        let mut block = vec![0xa5; 4096];
        let before = sum(&block);
        for bit in 0..4096 * 8 {
            block[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(sum(&block), before, "bit {bit}");
            block[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
