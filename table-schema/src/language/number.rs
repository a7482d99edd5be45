//! Parsing of numbers.

/// Parses the number at the start of a string and returns it with the remaining text. Digits may be grouped by `_` and
/// have a fraction.
pub fn leading(text: &str) -> Option<(f64, &str)> {
    let end =
        text.find(|next: char| !(next.is_ascii_digit() || next == '_' || next == '.')).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    let is_grouped = number
        .split('.')
        .all(|digits| !digits.is_empty() && digits.split('_').all(|group| !group.is_empty()));
    let value: f64 = number.replace('_', "").parse().ok()?;
    (is_grouped && number.matches('.').count() <= 1 && value.is_finite()).then_some((value, rest))
}

/// Parses the integer at the start of a string and returns it with the remaining text.
pub fn whole(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|next: char| !(next.is_ascii_digit() || next == '_')).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    let is_grouped = number.split('_').all(|group| !group.is_empty());
    let value: u64 = number.replace('_', "").parse().ok()?;
    is_grouped.then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_may_be_grouped() {
        assert_eq!(leading("100_000/year"), Some((100_000.0, "/year")));
        assert_eq!(leading("0.5%"), Some((0.5, "%")));
        assert_eq!(whole("50_000"), Some((50_000, "")));
        for text in ["", "_1", "1_", "1__0", ".5", "5.", "1.2.3", "x"] {
            assert_eq!(leading(text), None, "{text}");
        }
        assert_eq!(whole("99999999999999999999"), None);
    }
}
