//! Pseudorandom numbers that are the same in every run.

use table_store::split_mix::SplitMix64;

/// A stream of numbers from a seed.
#[derive(Clone, Debug)]
pub struct Seed(SplitMix64);

impl Seed {
    /// Returns the stream of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    /// Returns a separate stream for `label`, independent of numbers drawn from copies of this stream.
    #[must_use]
    pub fn fork(&self, label: u64) -> Self {
        let mut fork = Self::new(self.0.0 ^ label.wrapping_mul(0xd6e8_feb8_6659_fd93));
        fork.draw();
        fork
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.0.draw()
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
