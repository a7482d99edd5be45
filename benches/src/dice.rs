/// A deterministic pseudorandom generator (`SplitMix64`, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let high = u32::try_from(mixed >> 32).unwrap_or(0);
        high.checked_rem(bound).unwrap_or(0)
    }

    pub fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        let at = self.below(u32::try_from(from.len()).unwrap_or(u32::MAX));
        from.get(at as usize).copied().unwrap_or_default()
    }
}
