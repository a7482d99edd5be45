//! Numbers that look random and are the same in every run.

/// A stream of numbers made from a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The stream of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for `label`.
    #[must_use]
    pub fn fork(&self, label: u64) -> Self {
        let mut fork = Self(self.0 ^ label.wrapping_mul(0xd6e8_feb8_6659_fd93));
        fork.draw();
        fork
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let drawn = self.draw();
        usize::try_from(drawn.checked_rem(end as u64).unwrap_or(0)).unwrap_or(0)
    }

    /// True in `times` of `of` cases.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }
}
