use std::collections::HashMap;

use super::{distinct::MOST, real};

/// Occurrences from which a value belongs to the slope: its count is then within about a third of its expectation.
const ENOUGH: u64 = 10;
/// Number of values from which there is a slope, and its maximum.
const FEWEST: usize = 8;
const RANKS: usize = 64;

/// An estimator of the frequencies of the most frequent values, in bounded memory.
///
/// If all counters are in use, a new value decrements each of them, and counters at zero become free. A count is
/// therefore too low by at most the number of values divided by 4,097; with up to 4,096 distinct values it is exact.
/// (Misra and Gries, 1982.)
#[derive(Debug, Default)]
pub struct Frequent {
    counters: HashMap<u64, u64>,
    all: u64,
    /// What each counter was decremented by.
    lost: u64,
}

impl Frequent {
    /// Adds the [hash](super::hash) of a value.
    pub fn add(&mut self, hash: u64) {
        self.all += 1;
        if let Some(counter) = self.counters.get_mut(&hash) {
            *counter += 1;
        } else if self.counters.len() < MOST {
            self.counters.insert(hash, 1);
        } else {
            self.lost += 1;
            self.counters.retain(|_, counter| {
                *counter -= 1;
                *counter > 0
            });
        }
    }

    /// Returns the share of the most frequent value.
    #[must_use]
    pub fn largest_share(&self) -> f64 {
        let largest = self.counters.values().copied().max().unwrap_or_default();
        if self.all == 0 { 0.0 } else { real(largest) / real(self.all) }
    }

    /// Returns the number of added values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.all
    }

    /// Returns the exponent of the distribution of the most frequent values: the slope of their counts over their ranks, on
    /// logarithmic scales. To two digits, from 0 to 3; `None` if too few values are frequent enough.
    #[must_use]
    pub fn slope(&self) -> Option<f64> {
        // A frequent value has its counter from the start, or nearly.
        let counts = self.counters.values().map(|count| count + self.lost);
        let mut counts: Vec<u64> = counts.filter(|count| *count >= ENOUGH).collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        counts.truncate(RANKS);
        if counts.len() < FEWEST {
            return None;
        }
        let points = || (1..).zip(&counts).map(|(rank, count)| (real(rank).ln(), real(*count).ln()));
        let number = real(counts.len() as u64);
        let [x, y] =
            points().fold([0.0, 0.0], |[x, y], (rank, count)| [x + rank / number, y + count / number]);
        let both: f64 = points().map(|(rank, count)| (rank - x) * (count - y)).sum();
        let square: f64 = points().map(|(rank, _)| (rank - x).powi(2)).sum();
        Some(((-both / square).clamp(0.0, 3.0) * 100.0).round() / 100.0)
    }
}

/// Returns the exponent of a distribution in which the first of `values` values has this share: the advisor's model
/// expresses skew by this number. To two digits, at most 3.
#[must_use]
pub fn exponent(values: f64, share: f64) -> f64 {
    (crate::simulate::exponent(values, share).min(3.0) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{simulate::harmonic, sketch::hash};

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
    #[test]
    fn the_slope_of_the_most_frequent_values_is_their_exponent() {
        for zipf in [0.0, 0.6, 1.0, 1.3] {
            let (mut frequent, sum) = (Frequent::default(), harmonic(50_000.0, zipf));
            for rank in 1..=50_000_u64 {
                let count = (1_000_000.0 * real(rank).powf(-zipf) / sum).round();
                (0_u64..)
                    .take_while(|done| real(*done) < count)
                    .for_each(|_| frequent.add(hash(&rank.to_le_bytes())));
            }
            let slope = frequent.slope().unwrap();
            assert!((slope - zipf).abs() < 0.05, "{slope} for {zipf}");
        }
        let mut rare = Frequent::default();
        (0..1_000).for_each(|value| rare.add(value));
        assert_eq!(rare.slope(), None);
    }
}
