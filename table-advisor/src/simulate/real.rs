/// Converts a count to a float. Counts in this module are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts of seconds, cells and servers are far below 2^52")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

/// Returns the integer part of a non-negative number, limited to `most`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast of a float saturates, and what is negative or no number is 0"
)]
pub(super) fn whole(number: f64, most: usize) -> usize {
    (number as usize).min(most)
}
