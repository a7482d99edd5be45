/// Returns the output of `SplitMix64` for the state `x`.
const fn splitmix64(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns a number in [0, 1) for a seed and a position. The result is equal on all machines.
///
/// ```
/// assert_eq!(table_advisor::simulate::unit(1, 1), 0.745_781_757_262_701_1);
/// ```
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
#[must_use]
pub fn unit(seed: u64, place: u64) -> f64 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let bits = splitmix64(seed.wrapping_mul(STEP).wrapping_add(place)) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        assert_eq!(splitmix64(0), 16_294_208_416_658_607_535);
        assert_eq!(splitmix64(1), 10_451_216_379_200_822_465);
        assert_eq!(splitmix64(2), 10_905_525_725_756_348_110);
    }
}
