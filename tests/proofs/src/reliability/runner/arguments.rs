use std::time::Duration;

use super::Size;

/// Usage message of the program.
pub const USAGE: &str = "\
usage: prove [change | long | for TIME] [--only NAME,...] [--seed N] [--cases N]
       prove list

  change     what goes with every change: minutes (the default)
  long       one hour, shared between the proofs
  for TIME   as long as this: 90s, 10m, 2h
  --only     only these proofs
  --seed     the first seed; else 1 for `change`, and another each time for the others
  --cases    so many cases of each proof, instead of a time
  list       the proofs and what they hold";

const LONG: Duration = Duration::from_secs(3_600);

/// Parsed arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Print the list of proofs.
    List,
    /// Run proofs.
    Run {
        /// The extent.
        size: Size,
        /// Names of proofs; empty for all.
        only: Vec<String>,
        /// The first seed.
        seed: Option<u64>,
    },
}

impl Arguments {
    /// Parses arguments.
    ///
    /// # Errors
    /// Returns a message for an argument that is unknown, invalid or has no value.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let (mut chosen, mut cases, mut only, mut seed) = (None, None, Vec::new(), None);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
            match argument.as_str() {
                "list" => return Ok(Self::List),
                "change" | "long" | "for" if chosen.is_some() => {
                    return Err(format!("`{argument}` is one size too many"));
                }
                "change" => chosen = Some(Size::Change),
                "long" => chosen = Some(Size::Time(LONG)),
                "for" => chosen = Some(Size::Time(duration(&value()?)?)),
                "--only" => only.extend(value()?.split(',').map(str::to_owned)),
                "--seed" => seed = Some(number(&value()?)?),
                "--cases" => cases = Some(Size::Cases(number(&value()?)?)),
                _ => return Err(format!("`{argument}` is not known")),
            }
        }
        let size = cases.or(chosen).unwrap_or(Size::Change);
        Ok(Self::Run { size, only, seed })
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

/// Parses a duration such as `90s`, `10m` or `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time such as 90s, 10m or 2h");
    let units = [('s', 1), ('m', 60), ('h', 3_600)];
    let (count, seconds) = units
        .into_iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))
        .ok_or_else(wrong)?;
    let seconds = count.parse().ok().and_then(|count: u64| count.checked_mul(seconds));
    // A year or more is a typing error, and exceeds the range of clocks.
    seconds.filter(|seconds| (1..=366 * 86_400).contains(seconds)).map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Arguments, String> {
        Arguments::parse(text.split_whitespace().map(str::to_owned))
    }

    fn run(size: Size, only: &[&str], seed: Option<u64>) -> Arguments {
        Arguments::Run { size, only: only.iter().map(|name| (*name).to_owned()).collect(), seed }
    }

    #[test]
    fn sizes_are_read() {
        let time = |seconds| Size::Time(Duration::from_secs(seconds));
        assert_eq!(parse(""), Ok(run(Size::Change, &[], None)));
        assert_eq!(parse("long"), Ok(run(time(3_600), &[], None)));
        assert_eq!(parse("for 90s"), Ok(run(time(90), &[], None)));
        assert_eq!(
            parse("--seed 7 for 10m --only rot,kills"),
            Ok(run(time(600), &["rot", "kills"], Some(7)))
        );
        assert_eq!(parse("--only rot --seed 3 --cases 1"), Ok(run(Size::Cases(1), &["rot"], Some(3))));
        assert_eq!(parse("list"), Ok(Arguments::List));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["sometimes", "for", "for 10", "for m", "for 0s", "for -1s", "for 9999999h", "for 10ms"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("--seed x"), Err("`x` is no number".to_owned()));
        assert_eq!(parse("long change"), Err("`change` is one size too many".to_owned()));
    }
}
