//! Charts of numbers as a line of characters.

/// Returns one character per number, whose height is relative to the maximum, and a dot for a missing number.
///
/// ```
/// assert_eq!(table_examples::spark::line(&[Some(1), None, Some(4), Some(8)]), "▁·▄█");
/// ```
#[must_use]
pub fn line(numbers: &[Option<i32>]) -> String {
    const SIGNS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let greatest = numbers.iter().flatten().copied().max().unwrap_or(0).max(1);
    let sign = |number: &Option<i32>| {
        let Some(number) = number else { return '·' };
        let height = (i64::from(*number).max(1) * 8 - 1) / i64::from(greatest);
        usize::try_from(height).ok().and_then(|height| SIGNS.get(height)).copied().unwrap_or('█')
    };
    numbers.iter().map(sign).collect()
}
