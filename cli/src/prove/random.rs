//! Repeatable random numbers, and values with declared frequencies.

use sha2::{Digest, Sha256};

/// A generator of numbers (`SplitMix64`). The same name yields the same numbers on all machines.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn of(name: &str) -> Self {
        let digest = Sha256::digest(name.as_bytes());
        Self(digest.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte)))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// Returns a number from 0 to 1.
    pub(super) fn share(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 32).unwrap_or(0);
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }

    /// Returns the numbers below `count` in random order.
    pub(super) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// The frequencies of the values of a field: the fraction of entities with one of the first values.
#[derive(Clone, Debug)]
pub(super) struct Frequencies(Vec<f64>);

impl Frequencies {
    /// Creates the frequencies of `distinct` values. Some values have a given one; the others share the rest by Zipf's law:
    /// with the exponent 0, equally.
    pub(super) fn new(distinct: usize, zipf: f64, shares: &[(usize, f64)]) -> Self {
        let share =
            |number: usize| shares.iter().find(|(known, _)| *known == number).map(|(_, share)| *share);
        let weight = |number: usize| crate::text::real(number + 1).powf(-zipf);
        let numbers = || 0..distinct.max(1);
        let rest: f64 = numbers().filter(|number| share(*number).is_none()).map(weight).sum();
        let left = (1.0 - shares.iter().map(|(_, share)| share).sum::<f64>()).max(0.0);
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(distinct);
        for number in numbers() {
            sum += share(number).unwrap_or_else(|| left * weight(number) / rest);
            sums.push(sum);
        }
        Self(sums.into_iter().map(|part| if sum > 0.0 { part / sum } else { part }).collect())
    }

    /// Returns the fraction of entities with a value.
    pub(super) fn of(&self, number: usize) -> f64 {
        let until = |number: usize| self.0.get(number).copied().unwrap_or_default();
        until(number) - number.checked_sub(1).map_or(0.0, until)
    }

    pub(super) fn distinct(&self) -> usize {
        self.0.len()
    }

    /// Returns the value at a fraction of all entities, if they are sorted by value.
    pub(super) fn at(&self, fraction: f64) -> usize {
        self.0.partition_point(|sum| *sum <= fraction).min(self.0.len().saturating_sub(1))
    }
}
