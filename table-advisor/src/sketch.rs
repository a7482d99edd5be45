//! Measurement of values in bounded memory: the number of distinct values, and the frequencies of the most frequent ones.

mod distinct;
mod frequent;
mod hash;

pub use distinct::Distinct;
pub use frequent::{Frequent, exponent};
pub use hash::hash;

/// Converts a count to a float.
#[expect(clippy::cast_precision_loss, reason = "a count above 2^53 is told to 15 digits")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}
