//! Parsers of argument values.

/// Maximum number of simulated servers.
const MOST_SERVERS: usize = 10_000;
/// Maximum number of entities per second.
const MOST_RATE: f64 = 1e12;

pub(crate) fn servers(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=MOST_SERVERS).contains(number));
    number.ok_or_else(|| format!("expected an integer from 1 to {MOST_SERVERS}"))
}

/// Parses `1e6`, `20_000`.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let number = text.replace('_', "").parse().ok().filter(|rate: &f64| *rate > 0.0 && *rate <= MOST_RATE);
    number.ok_or_else(|| "expected a number above 0 and up to 1e12, such as 1e6 or 20_000".to_owned())
}

/// Parses the minutes of a simulation.
pub(crate) fn minutes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1_440).contains(number));
    number.ok_or_else(|| "expected an integer from 1 to 1440".to_owned())
}
