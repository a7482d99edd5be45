//! Human-readable numbers.

use crate::rows::Unit;

/// Formats three digits: `1.34M`, `302k`, `4.85k`, `87.2`, `0.91`.
pub fn number(value: f64) -> String {
    match value {
        value if value >= 999_500.0 => format!("{}M", digits(value / 1e6)),
        value if value >= 999.5 => format!("{}k", digits(value / 1e3)),
        value => digits(value),
    }
}

/// Formats a round number of entities: `10k`, `1M`.
pub fn count(value: f64) -> String {
    if value >= 1e6 { format!("{:.0}M", value / 1e6) } else { format!("{:.0}k", value / 1e3) }
}

/// Formats a time: `1.24 µs`, `87.0 ms`.
pub fn time(seconds: f64) -> String {
    let micros = seconds * 1e6;
    if micros < 999.5 { format!("{} µs", digits(micros)) } else { format!("{} ms", digits(micros / 1e3)) }
}

fn digits(value: f64) -> String {
    let places = match value {
        value if value >= 99.95 => 0,
        value if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.places$}")
}

pub fn with_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::PerSecond(_) => number(value),
        Unit::Milliseconds => format!("{} ms", number(value)),
        Unit::Mebibytes => format!("{} MiB", number(value)),
        Unit::Times => format!("{}×", number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let shown =
            [0.0, 0.914, 4.856, 9.996, 87.25, 99.96, 999.4, 999.6, 4_856.0, 302_400.0, 999_600.0, 1.34e6];
        let texts = shown.map(number);
        assert_eq!(
            texts,
            [
                "0.00", "0.91", "4.86", "10.0", "87.2", "100", "999", "1.00k", "4.86k", "302k", "1.00M",
                "1.34M"
            ]
        );
        assert_eq!([time(1.24e-6), time(0.087)], ["1.24 µs", "87.0 ms"]);
        assert_eq!([count(1e4), count(1e7)], ["10k", "10M"]);
    }
}
