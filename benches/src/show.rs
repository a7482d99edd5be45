//! Figures as people read them.

use crate::rows::Unit;

/// Three digits: `1.34M`, `302k`, `4.85k`, `87.2`, `0.91`.
pub fn number(value: f64) -> String {
    match value {
        value if value >= 999_500.0 => format!("{}M", digits(value / 1e6)),
        value if value >= 999.5 => format!("{}k", digits(value / 1e3)),
        value => digits(value),
    }
}

/// `10k`, `1M`: a round number of entities.
pub fn count(value: f64) -> String {
    if value >= 1e6 { format!("{:.0}M", value / 1e6) } else { format!("{:.0}k", value / 1e3) }
}

/// `1.24 µs`, `87.0 ms`.
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
