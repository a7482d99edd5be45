//! The checksum of a block.

const P1: u64 = 0x9e37_79b1_85eb_ca87;
const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P3: u64 = 0x1656_67b1_9e37_79f9;
const P4: u64 = 0x85eb_ca77_c2b2_ae63;
const STRIPE_BYTES: usize = 32;

/// Returns the lower half of the XXH64 of a block. Never zero, which stands for a block that was not written.
///
/// A CRC32C cannot be used: records end with a CRC32C, and the CRC32C of a block does not change if a record is replaced by
/// another sound record of the same length. A stale page would be accepted.
pub(super) fn sum(block: &[u8]) -> u32 {
    let hash = xxh64(block) & u64::from(u32::MAX);
    u32::try_from(hash).unwrap_or(u32::MAX).max(1)
}

/// Returns the XXH64 with seed 0 of complete stripes; the rest is ignored.
fn xxh64(bytes: &[u8]) -> u64 {
    let mut lanes = [P1.wrapping_add(P2), P2, 0, 0_u64.wrapping_sub(P1)];
    let (stripes, _) = bytes.as_chunks::<STRIPE_BYTES>();
    for stripe in stripes {
        let (words, _) = stripe.as_chunks();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
    }
    let [a, b, c, d] = lanes;
    let turned = [a.rotate_left(1), b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)];
    let mut hash = turned.into_iter().fold(0, u64::wrapping_add);
    for lane in lanes {
        hash = (hash ^ round(0, lane)).wrapping_mul(P1).wrapping_add(P4);
    }
    hash = hash.wrapping_add((stripes.len() * STRIPE_BYTES) as u64);
    hash = (hash ^ hash >> 33).wrapping_mul(P2);
    hash = (hash ^ hash >> 29).wrapping_mul(P3);
    hash ^ hash >> 32
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum;

    /// The expected values are from the reference algorithm.
    #[test]
    fn the_sum_is_xxh64() {
        let block: Vec<u8> = (0..=255).cycle().take(4096).collect();
        assert_eq!(xxh64(&block), 0x0f6e_64be_186a_f6a4);
        assert_eq!(xxh64(&[0; 4096]), 0xac86_9b6f_32d8_bbdb);
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
