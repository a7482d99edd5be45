//! XXH64, a hash that is not linear.
//!
//! Records end with a CRC32C. A CRC32C over data that contains records cannot detect that a record was replaced by another
//! sound record of the same length: it does not change.

const P1: u64 = 0x9e37_79b1_85eb_ca87;
const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P3: u64 = 0x1656_67b1_9e37_79f9;
const P4: u64 = 0x85eb_ca77_c2b2_ae63;
const P5: u64 = 0x27d4_eb2f_1656_67c5;
const STRIPE_BYTES: usize = 32;

/// Returns the XXH64 with seed 0.
pub(crate) fn xxh64(bytes: &[u8]) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<STRIPE_BYTES>();
    let hash = if stripes.is_empty() { P5 } else { mixed(stripes) };
    ended(hash.wrapping_add(bytes.len() as u64), rest)
}

fn mixed(stripes: &[[u8; STRIPE_BYTES]]) -> u64 {
    let mut lanes = [P1.wrapping_add(P2), P2, 0, 0_u64.wrapping_sub(P1)];
    for stripe in stripes {
        let (words, _) = stripe.as_chunks();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
    }
    let [a, b, c, d] = lanes;
    let turned = [a.rotate_left(1), b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)];
    let hash = turned.into_iter().fold(0, u64::wrapping_add);
    lanes.into_iter().fold(hash, |hash, lane| (hash ^ round(0, lane)).wrapping_mul(P1).wrapping_add(P4))
}

/// Adds the bytes after the last stripe, and mixes the bits.
fn ended(mut hash: u64, rest: &[u8]) -> u64 {
    let (words, rest) = rest.as_chunks();
    for word in words {
        let word = round(0, u64::from_le_bytes(*word));
        hash = (hash ^ word).rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
    }
    let (halves, rest) = rest.as_chunks();
    for half in halves {
        let half = u64::from(u32::from_le_bytes(*half)).wrapping_mul(P1);
        hash = (hash ^ half).rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
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

    /// Hashes of 0 to 100 bytes by the reference implementation.
    #[rustfmt::skip]
    const EXPECTED: [u64; 101] = [
        0xef46_db37_51d8_e999, 0x1f25_c8d0_bc1f_4bb6, 0xf5be_dec2_3270_6303, 0x31d2_363f_52e5_64c9,
        0x9bb6_4b7d_66ee_9fda, 0xc760_8efd_db70_51fe, 0x6143_6fb2_8d5c_e4c4, 0x9a7b_1499_59ce_60d8,
        0xdab9_9d95_c6f9_0092, 0x170b_b6bf_975b_4c02, 0xbd72_77d7_e2d8_a98c, 0x7a52_cc94_57cf_1a1f,
        0xd52e_4078_33af_5133, 0xf78b_0313_08f5_bfc8, 0xc7f1_d4d0_acfa_5a14, 0x1b47_cb82_43cc_8e32,
        0x4348_5023_2b78_7be2, 0x1efa_7025_f1b9_7a7a, 0x2879_1d24_c4cf_5e78, 0x3e91_f7c3_1712_50d0,
        0x18ae_385a_da6b_00cb, 0xc075_1856_02af_71eb, 0xb2ce_b44a_a258_ff36, 0x36a3_4f92_fb02_05c0,
        0xc47c_71bd_4694_ff81, 0xb13f_23e8_8418_6902, 0x76a5_852d_6e1c_ab15, 0x9ab0_b907_5529_2fc8,
        0x7292_99f9_2ff2_5c75, 0x6cd0_1834_be7d_2537, 0x4bdd_83b2_b139_424f, 0xa2aa_5f33_cc4a_6119,
        0x23c3_c17e_f790_fd97, 0x50a7_cfc7_ba58_8784, 0xc3e4_9b08_a6aa_d624, 0xa5b3_4560_11d2_913b,
        0xc0b5_2b0d_cc5e_3f7f, 0xe32e_f638_02f5_a3fd, 0xa469_6f18_f9ac_ce05, 0x880b_beea_606e_4b37,
        0xb620_306b_253d_76b6, 0x8d56_b39a_3873_5fa8, 0xd50f_b183_d9c4_f252, 0x7178_4bdf_7cc2_0cee,
        0xa4b1_9436_ab40_edb0, 0x86fa_ee00_897c_4b41, 0xd524_c35b_6472_62ac, 0xa7c5_465c_c5ad_205e,
        0xda76_bbb3_5443_38ee, 0x756d_92b5_ff28_e5bc, 0x3feb_2f60_dd4d_0dbd, 0xf163_9a50_dba4_740b,
        0xe3bb_a384_bc67_d6ee, 0x84a0_96f5_91e6_f04e, 0x6a7e_7d31_9291_0190, 0x0a81_5463_dd86_507a,
        0xed35_0c04_e51a_88e9, 0xe1d2_88e4_de03_cb88, 0xf6e7_89b2_51ea_5e64, 0xc7a6_1c29_cfaf_e592,
        0x00f7_f073_0e73_6d93, 0xea5d_9295_b669_d981, 0xf1a1_a311_ad02_b5b1, 0x5e3e_54b4_31c7_493c,
        0x0eb6_4b3e_f6ee_b01f, 0xa383_b724_b2bd_12f1, 0xb6d5_5f01_3843_14c2, 0x36c3_014e_8cf0_ef72,
        0x6956_9d3f_713f_823e, 0x5779_3f2c_918c_48a5, 0x9cc0_bdc8_5324_3c07, 0xfdb8_dfc5_7001_41a7,
        0xfd91_a561_882d_1ff7, 0x8a83_4abc_f2f8_b93c, 0xd340_158f_8cf0_fb15, 0xa0bd_9a2d_b08e_831f,
        0x40ab_8c30_7092_8bcc, 0xc4e0_603b_2473_c094, 0xc64c_b670_798a_0216, 0x4768_9d58_02ef_60f9,
        0x1efb_52c7_93e1_6467, 0xcb44_6eef_618a_5c5f, 0xcf86_163e_2a57_146d, 0x5c68_2f04_6715_8034,
        0xdabb_5970_7052_3aa0, 0xd57c_286c_39a9_aa86, 0xec26_9db5_5b82_c1c5, 0x453c_e28b_3e21_8742,
        0xfa72_ffda_01ff_1d53, 0x5334_da4f_4454_1483, 0xa885_9917_0950_fe6b, 0xe267_317d_04f7_69fd,
        0x4972_b652_8838_316b, 0x440c_a19b_24b4_6393, 0xd23f_68bf_6af1_abc1, 0xf6ff_b910_3991_895f,
        0x3101_a958_de58_2e18, 0xb2b3_f990_2ec2_efbd, 0xeee3_136b_2af7_ff5d, 0x06a0_8eb0_98af_a2c3,
        0xa61f_8d4c_170f_e531,
    ];

    #[test]
    fn hashes_are_those_of_the_reference_implementation() {
        let bytes: Vec<u8> = (3..=255).chain(0..3).cycle().step_by(7).take(100).collect();
        for (len, expected) in EXPECTED.into_iter().enumerate() {
            assert_eq!(xxh64(&bytes[..len]), expected, "{len} bytes");
        }
        let block: Vec<u8> = (0..=255).cycle().take(4096).collect();
        assert_eq!(xxh64(&block), 0x0f6e_64be_186a_f6a4);
        assert_eq!(xxh64(&[0; 4096]), 0xac86_9b6f_32d8_bbdb);
    }
}
