use std::collections::BTreeSet;

/// Number of stored hashes. Up to this number a count is exact, beyond it is an estimate with a standard error of `1 /
/// √(MOST - 2)`: 1.6 %.
pub(super) const MOST: usize = 4_096;

/// An estimator of the number of distinct values, in bounded memory.
///
/// Hashes of values are uniformly distributed between 0 and 1, so the position of the 4,096th smallest hash determines
/// their number: with 4,095 of them below 0.001, about four million in all. (Bar-Yossef and others, 2002: *k* minimum
/// values.)
#[derive(Debug, Default)]
pub struct Distinct {
    smallest: BTreeSet<u64>,
}

impl Distinct {
    /// Adds the [hash](super::hash) of a value.
    pub fn add(&mut self, hash: u64) {
        if self.smallest.len() < MOST {
            self.smallest.insert(hash);
        } else if self.smallest.last().is_some_and(|largest| hash < *largest) && self.smallest.insert(hash) {
            self.smallest.pop_last();
        }
    }

    /// Returns the number of values, and whether it is exact.
    #[must_use]
    pub fn count(&self) -> (u64, bool) {
        let kept = self.smallest.len() as u64;
        match self.smallest.last() {
            Some(largest) if self.smallest.len() == MOST => {
                let all = (u128::from(kept) - 1) << 64;
                (u64::try_from(all / (u128::from(*largest) + 1)).unwrap_or(u64::MAX).max(kept), false)
            }
            _ => (kept, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::hash;

    fn of(different: u64) -> Distinct {
        let mut distinct = Distinct::default();
        for value in 0..different {
            distinct.add(hash(&value.to_le_bytes()));
            distinct.add(hash(&(value / 2).to_le_bytes()));
        }
        distinct
    }

    #[test]
    fn few_values_are_counted_exactly() {
        for different in [0, 1, 40, 4_095] {
            assert_eq!(of(different).count(), (different, true));
        }
    }

    #[test]
    fn many_values_are_estimated_within_three_standard_errors() {
        for different in [5_000_u64, 30_000, 200_000] {
            let (count, is_exact) = of(different).count();
            assert!(!is_exact);
            assert!(count.abs_diff(different) <= different * 48 / 1_000, "{count} for {different}");
        }
    }
}
