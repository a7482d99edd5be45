//! Pseudorandom numbers that are the same in every version.

/// The sequence `SplitMix64` (Steele, Lea and Flood 2014) of a state. It is predictable, so it cannot protect anything.
///
/// The log of the embedded store contains it: `docs/format.md` describes the whitening.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Returns the next number.
    #[inline]
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the authors' C program for this state.
    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut sequence = SplitMix64(1_234_567);
        let numbers = [(); 3].map(|()| sequence.draw());
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
