//! Doubles in the format of .NET: 15 digits if they identify the double, otherwise 17.

use std::fmt::Write;

/// Appends a double: `10.0`, `4.81516`, `1E+15`, `4.94065645841247E-324`, `"NaN"`. Negative zero is written as zero,
/// since the JSON of the service does not distinguish them.
pub fn push_double(into: &mut String, number: f64) {
    const WHOLE: f64 = 1e15;
    if number.is_nan() {
        return into.push_str("\"NaN\"");
    }
    if number.is_infinite() {
        return into.push_str(if number > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" });
    }
    if number.abs() < WHOLE && number.fract() == 0.0 {
        #[expect(clippy::cast_possible_truncation, reason = "an integral value with at most 15 digits")]
        let whole = number as i64;
        into.push_str(itoa::Buffer::new().format(whole));
        return into.push_str(".0");
    }
    if number.is_sign_negative() {
        into.push('-');
    }
    let number = number.abs();
    if !push_short(into, number) {
        let (digits, most) = Digits::of(number);
        digits.push(into, most);
    }
}

/// Fast path: appends a positive number if it has at most six decimals. Most numbers do.
///
/// If the quotient equals the number, the decimal has at most 15 digits and parses as the number. Only one such decimal
/// exists, so the slow path returns the same digits.
fn push_short(into: &mut String, number: f64) -> bool {
    const SCALE: u64 = 1_000_000;
    let scale = 1e6;
    let scaled = (number * scale).round();
    if !(1e-4..1e9).contains(&number) || (scaled / scale).to_bits() != number.to_bits() {
        return false;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integral value with at most 15 digits"
    )]
    let scaled = scaled as u64;
    into.push_str(itoa::Buffer::new().format(scaled / SCALE));
    into.push('.');
    // The leading digit preserves the leading zeros of the fraction.
    let mut fraction = itoa::Buffer::new();
    let fraction = fraction.format(SCALE + scaled % SCALE).get(1..).unwrap_or_default();
    let trimmed = fraction.trim_end_matches('0');
    into.push_str(if trimmed.is_empty() { "0" } else { trimmed });
    true
}

/// Parses a JSON number and returns it if it is finite.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a double from a string: a number, or one of the three special values.
pub(super) fn of_text(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" | "INF" => Some(f64::INFINITY),
        "-Infinity" | "-INF" => Some(f64::NEG_INFINITY),
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => finite(text),
        _ => None,
    }
}

/// A positive number in decimal digits; the decimal point follows the first digit.
struct Digits {
    text: Printed,
    exponent: i32,
}

impl Digits {
    /// Returns the digits that .NET prints, and its digit limit: numbers with an exponent of at least the limit are
    /// printed in exponential form.
    fn of(number: f64) -> (Self, i32) {
        // A decimal of 15 digits survives the conversion to a double and back. The shortest form is therefore the form
        // of .NET if it has at most 15 digits. Subnormal numbers have fewer bits, so this does not apply to them.
        if number.is_normal() {
            let shortest = Self::printed(format_args!("{number:e}"));
            if shortest.text.0.len() <= 15 {
                return (shortest, 15);
            }
        } else {
            let fifteen = Printed::of(format_args!("{number:.14e}"));
            if fifteen.0.parse() == Ok(number) {
                return (Self::split(&fifteen.0), 15);
            }
        }
        (Self::printed(format_args!("{number:.16e}")), 17)
    }

    fn printed(arguments: std::fmt::Arguments<'_>) -> Self {
        Self::split(&Printed::of(arguments).0)
    }

    /// Splits `d.ddde-n` and removes trailing zeros.
    fn split(printed: &str) -> Self {
        let (mantissa, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
        let mut text = mantissa.replace('.', "");
        text.truncate(text.trim_end_matches('0').len().max(1));
        Self { text: Printed(text), exponent: exponent.parse().unwrap_or_default() }
    }

    fn push(&self, into: &mut String, most: i32) {
        let digits = self.text.0.as_str();
        let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
        if self.exponent <= -5 || self.exponent >= most {
            into.push_str(first);
            if !rest.is_empty() {
                into.push('.');
                into.push_str(rest);
            }
            let sign = if self.exponent < 0 { '-' } else { '+' };
            // Writing to a string cannot fail.
            let _ = write!(into, "E{sign}{:02}", self.exponent.unsigned_abs());
            return;
        }
        let zeros = |count: i32| (0..count).map(|_| '0');
        match usize::try_from(self.exponent) {
            Err(_) => {
                into.push_str("0.");
                into.extend(zeros(-1 - self.exponent));
                into.push_str(digits);
            }
            Ok(exponent) => {
                let (whole, fraction) = digits.split_at_checked(exponent + 1).unwrap_or((digits, ""));
                into.push_str(whole);
                into.extend(zeros(self.exponent + 1 - i32::try_from(whole.len()).unwrap_or(0)));
                into.push('.');
                into.push_str(if fraction.is_empty() { "0" } else { fraction });
            }
        }
    }
}

struct Printed(String);

impl Printed {
    fn of(arguments: std::fmt::Arguments<'_>) -> Self {
        let mut text = String::with_capacity(32);
        let _ = text.write_fmt(arguments);
        Self(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn printed(number: f64) -> String {
        let mut text = String::new();
        push_double(&mut text, number);
        text
    }

    #[test]
    fn doubles_are_printed_as_the_service_does() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (10.0, "10.0"),
            (-7.0, "-7.0"),
            (4.81516, "4.81516"),
            (-0.5, "-0.5"),
            (123_456_789_012_345.12, "123456789012345.12"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.000_123, "0.000123"),
            (0.000_123_4, "0.0001234"),
            (1234.56, "1234.56"),
            (999_999_999.999_999, "999999999.999999"),
            (0.000_012, "1.2E-05"),
            (999_999_999_999_999.0, "999999999999999.0"),
            (1e15, "1E+15"),
            (1.5e300, "1.5E+300"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (f64::MAX, "1.7976931348623157E+308"),
            (f64::MIN, "-1.7976931348623157E+308"),
            (5e-324, "4.94065645841247E-324"),
            (f64::NAN, "\"NaN\""),
            (f64::NEG_INFINITY, "\"-Infinity\""),
        ] {
            assert_eq!(printed(number), text);
        }
    }

    proptest! {
        #[test]
        fn the_short_way_prints_what_the_long_way_does(digits in 1..=1_000_000_000_000_000_u64, places in 0..9) {
            #[expect(clippy::cast_precision_loss, reason = "any number will do")]
            let number = digits as f64 / 10_f64.powi(places);
            let (mut short, mut long) = (String::new(), String::new());
            if push_short(&mut short, number) {
                let (digits, most) = Digits::of(number);
                digits.push(&mut long, most);
                prop_assert_eq!(short, long);
            }
        }

        #[test]
        fn what_is_printed_reads_back(number in any::<f64>()) {
            let text = printed(number);
            let read: f64 = text.parse().unwrap();
            prop_assert_eq!((read + 0.0).to_bits(), (number + 0.0).to_bits(), "{}", text);
            prop_assert!(text.contains(['.', 'E']), "{}", text);
        }
    }
}
