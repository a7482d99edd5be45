use std::collections::HashMap;

use super::distinct::MOST;

/// An estimator of the frequency of the most frequent value, in bounded memory.
///
/// If all counters are in use, a new value decrements each of them, and counters at zero become free. A count is
/// therefore too low by at most the number of values divided by 4,097; with up to 4,096 distinct values it is exact.
/// (Misra and Gries, 1982.)
#[derive(Debug, Default)]
pub(super) struct Frequent {
    counters: HashMap<u64, u64>,
    all: u64,
}

impl Frequent {
    pub(super) fn add(&mut self, hash: u64) {
        self.all += 1;
        if let Some(counter) = self.counters.get_mut(&hash) {
            *counter += 1;
        } else if self.counters.len() < MOST {
            self.counters.insert(hash, 1);
        } else {
            self.counters.retain(|_, counter| {
                *counter -= 1;
                *counter > 0
            });
        }
    }

    /// Returns the share of the most frequent value.
    pub(super) fn largest_share(&self) -> f64 {
        let largest = self.counters.values().copied().max().unwrap_or_default();
        if self.all == 0 { 0.0 } else { super::real(largest) / super::real(self.all) }
    }
}

/// Returns the exponent of a distribution in which the first of `values` values has this share: the advisor's model
/// expresses skew by this number. To two digits, at most 3.
pub(super) fn exponent(values: f64, share: f64) -> f64 {
    (table_advisor::simulate::exponent(values, share).min(3.0) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use table_advisor::simulate::harmonic;

    use super::*;

    #[test]
    fn the_share_of_the_first_value_gives_the_exponent_back() {
        for (values, zipf) in [(40.0, 0.8), (12_000.0, 0.9), (400_000.0, 0.5), (200.0, 1.0)] {
            let found = exponent(values, 1.0 / harmonic(values, zipf));
            assert!((found - zipf).abs() < 0.011, "{found} for {zipf}");
        }
        assert!(exponent(1_000.0, 0.001).abs() < 1e-9, "even values have no exponent");
        assert!(exponent(1.0, 1.0).abs() < 1e-9 && exponent(0.0, 0.0).abs() < 1e-9);
    }

    #[test]
    fn a_frequent_value_is_found_among_many_rare_ones() {
        let mut frequent = Frequent::default();
        for number in 0..100_000_u64 {
            frequent.add(if number % 10 == 0 { u64::MAX } else { number });
        }
        let share = frequent.largest_share();
        assert!((0.1 - 1.0 / 4_097.0..=0.1).contains(&share), "{share}");
    }
}
