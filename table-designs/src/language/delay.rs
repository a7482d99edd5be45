//! Short times: `100ms`.

use std::{fmt, str::FromStr};

use super::{LanguageError, SpanUnit, number};
use table_schema::catalogue::Code;

/// The time that a request takes or may take.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Delay {
    /// The number of milliseconds.
    pub milliseconds: f64,
}

impl FromStr for Delay {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        let read = || {
            let (number, rest) = number::leading(text.trim())?;
            let unit = match rest.trim() {
                "ms" => 1,
                name => 1_000 * SpanUnit::ALL.into_iter().find(|unit| unit.as_str() == name)?.seconds(),
            };
            #[expect(clippy::cast_precision_loss, reason = "a unit has fewer than 2^53 milliseconds")]
            let milliseconds = number * unit as f64;
            Some(Self { milliseconds }).filter(|_| milliseconds > 0.0 && milliseconds.is_finite())
        };
        read().ok_or_else(|| LanguageError {
            code: Code::D018,
            span: 0..text.len(),
            message: "cannot read this time".to_owned(),
            label: "expected a number above 0 and a unit".to_owned(),
            help: "\"100ms\"; units: ms, s, min, h, d, w, y".to_owned(),
        })
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.milliseconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_a_number_with_a_unit() {
        for (text, expected) in [("100ms", 100.0), ("2s", 2_000.0), ("0.5 s", 500.0), ("2min", 120_000.0)] {
            let delay: Delay = text.parse().unwrap();
            assert!((delay.milliseconds - expected).abs() < f64::EPSILON, "{text}");
        }
        for text in ["", "100", "0ms", "1month", "ms"] {
            assert!(text.parse::<Delay>().is_err(), "{text}");
        }
    }
}
