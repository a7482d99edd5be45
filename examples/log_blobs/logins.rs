use std::{fs, path::Path, time::Duration};

use table_examples::Outcome;
use table_patterns::Timestamp;

/// A line of `syslog`.
pub(crate) struct Line {
    pub(crate) at: Timestamp,
    pub(crate) host: String,
    pub(crate) program: String,
    pub(crate) text: String,
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Reads `folder/logs/auth_3days_gtkcyber.log`. The times have no year, so 2014 is used. The last line is truncated and
/// is skipped.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Line>> {
    let file = folder.join("logs/auth_3days_gtkcyber.log");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let whole = text.lines().filter_map(line).collect::<Vec<_>>();
    if whole.len() + 1 < text.lines().count() {
        return Err(format!("{}: some lines are not of syslog", file.display()).into());
    }
    Ok(whole)
}

/// Parses `Nov 30 07:07:14 host sshd[22116]: what happened`.
fn line(text: &str) -> Option<Line> {
    let (month, rest) = text.split_once(' ')?;
    let (day, rest) = rest.trim_start().split_once(' ')?;
    let (time, rest) = rest.split_once(' ')?;
    let (host, rest) = rest.split_once(' ')?;
    let (program, text) = rest.split_once(": ")?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let day: u8 = day.parse().ok()?;
    let at = format!("2014-{month:02}-{day:02}T{time}Z").parse().ok()?;
    Some(Line { at, host: host.to_owned(), program: program.to_owned(), text: text.to_owned() })
}

/// Generates a day of logins with varying frequency.
pub(crate) fn made_up() -> Outcome<Vec<Line>> {
    let mut at: Timestamp = "2014-07-31T00:00:00Z".parse()?;
    let mut lines = Vec::new();
    for number in 0..5_000_u64 {
        at = at.saturating_add(Duration::from_millis(number * number % 31 * 1_000 + 250));
        lines.push(Line {
            at,
            host: "web-1".into(),
            program: format!("sshd[{}]", 20_000 + number),
            text: format!("Invalid user guest{} from 10.0.{}.7", number % 90, number % 250),
        });
    }
    Ok(lines)
}
