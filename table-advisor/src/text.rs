//! Formatting of numbers in sentences.

use super::facts::whole;

/// Numbers from here on are displayed with an exponent.
const HUGE: f64 = 1e15;

/// Formats a number for display: integers with separators, small numbers with two digits, huge numbers with an exponent.
///
/// ```
/// use table_advisor::plain;
///
/// assert_eq!(plain(34_560_000.0), "34,560,000");
/// assert_eq!(plain(0.1234), "0.12");
/// assert_eq!(plain(12.34), "12.3");
/// assert_eq!(plain(0.0012), "<0.01");
/// assert_eq!(plain(2.5e300), "2.50e300");
/// ```
#[must_use]
pub fn plain(number: f64) -> String {
    if !number.is_finite() {
        return "unbounded".to_owned();
    }
    let size = number.abs();
    if size >= HUGE {
        return format!("{number:.2e}");
    }
    if size >= 99.95 || (number - number.round()).abs() < 1e-9 {
        return separated(number.round());
    }
    match size {
        _ if size >= 10.0 => format!("{number:.1}"),
        // Not zero.
        _ if size < 0.005 => if number > 0.0 { "<0.01" } else { ">-0.01" }.to_owned(),
        _ => format!("{number:.2}"),
    }
}

fn separated(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0.0 && digits != "0" { format!("-{text}") } else { text }
}

/// Formats a size for display: `577 B`, `56.8 KiB`.
///
/// ```
/// use table_advisor::size_text;
///
/// assert_eq!(size_text(577.0), "577 B");
/// assert_eq!(size_text(58_188.0), "56.8 KiB");
/// assert_eq!(size_text(1_163_767_750_000.0), "1.06 TiB");
/// ```
#[must_use]
pub fn size_text(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1_024.0 {
        return format!("{} B", plain(bytes.round()));
    }
    let (mut size, mut unit) = (bytes / 1_024.0, UNITS[0]);
    for next in UNITS.into_iter().skip(1) {
        if size < 1_024.0 {
            break;
        }
        (size, unit) = (size / whole(1_024), next);
    }
    format!("{} {unit}", plain(size))
}

/// Formats a duration in seconds for display: `10 ms`, `2.16 h`.
///
/// ```
/// use table_advisor::time_text;
///
/// assert_eq!(time_text(0.01), "10 ms");
/// assert_eq!(time_text(90.0), "1.50 min");
/// assert_eq!(time_text(7_783.0), "2.16 h");
/// ```
#[must_use]
pub fn time_text(seconds: f64) -> String {
    let (number, unit) = match seconds {
        _ if seconds < 1.0 => (seconds * 1_000.0, "ms"),
        _ if seconds < 60.0 => (seconds, "s"),
        _ if seconds < 3_600.0 => (seconds / 60.0, "min"),
        _ => (seconds / 3_600.0, "h"),
    };
    format!("{} {unit}", plain(number))
}

/// Formats an amount of money for display: `$3.78`, `< $0.01`.
///
/// ```
/// use table_advisor::money_text;
///
/// assert_eq!(money_text(1_234.5, "USD"), "$1,234.50");
/// assert_eq!(money_text(0.001, "EUR"), "< 0.01 EUR");
/// assert_eq!(money_text(2.5e300, "USD"), "$2.50e300");
/// ```
#[must_use]
pub fn money_text(amount: f64, currency: &str) -> String {
    let (sign, behind) = if currency == "USD" { ("$", String::new()) } else { ("", format!(" {currency}")) };
    if amount == 0.0 {
        return format!("{sign}0{behind}");
    }
    if amount < 0.01 {
        return format!("< {sign}0.01{behind}");
    }
    if amount >= HUGE {
        return format!("{sign}{}{behind}", plain(amount));
    }
    let cents = (amount * 100.0).round();
    format!("{sign}{}.{:02}{behind}", separated((cents / 100.0).floor()), cents % 100.0)
}
