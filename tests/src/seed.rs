//! Pseudorandom numbers that are the same in every run.

/// A stream of numbers from a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// Returns the stream of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a separate stream for `label`, independent of numbers drawn from copies of this stream.
    #[must_use]
    pub fn fork(&self, label: u64) -> Self {
        let mut fork = Self(self.0 ^ label.wrapping_mul(0xd6e8_feb8_6659_fd93));
        fork.draw();
        fork
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let drawn = self.draw();
        usize::try_from(drawn.checked_rem(end as u64).unwrap_or(0)).unwrap_or(0)
    }

    /// Returns `true` in `times` of `of` cases.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// Returns an element of `choices`; `None` if it is empty.
    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }
}
