use std::{fs, path::Path, time::Duration};

use table_examples::Outcome;
use table_patterns::prelude::*;

use crate::Login;

/// Reads the lines of `folder/logs/auth_3days_gtkcyber.log`: `Nov 30 06:39:00 host sshd[22116]: Connection closed ..`.
/// The times have no year, so 2014 is used. The last line is truncated and is skipped.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Login>> {
    let file = folder.join("logs/auth_3days_gtkcyber.log");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(text.lines().zip(0..).filter_map(|(text, line)| login(text, line)).collect())
}

fn login(line_text: &str, line: u32) -> Option<Login> {
    let mut words = line_text.split_whitespace();
    let month = match words.next()? {
        "Nov" => 11,
        "Dec" => 12,
        _ => return None,
    };
    let day: u8 = words.next()?.parse().ok()?;
    let time = words.next()?;
    let at = format!("2014-{month:02}-{day:02}T{time}Z").parse().ok()?;
    let service = words.nth(1)?.split(['[', ':']).next()?.to_owned();
    let (_, text) = line_text.split_once("]: ")?;
    // Removes the address, which differs in each line, to group lines by event.
    let text = text.split(" from ").next().unwrap_or(text).to_owned();
    Some(Login { service, at, line, text })
}

/// Generates five days with a login every minute, some of them failed.
pub(crate) fn made_up() -> Outcome<Vec<Login>> {
    let start: Timestamp = "2014-07-27T00:00:00Z".parse()?;
    let users = ["test", "jo", "guest", "admin", "mo"];
    let line = |line: u32| {
        let user = users.iter().cycle().nth(line as usize % 13).unwrap_or(&"jo");
        let text = if line.is_multiple_of(3) { "Invalid user" } else { "Accepted password for" };
        Login {
            service: if line.is_multiple_of(60) { "cron" } else { "sshd" }.into(),
            at: start.saturating_add(Duration::from_secs(u64::from(line) * 60)),
            line,
            text: format!("{text} {user}"),
        }
    };
    Ok((0..5 * 24 * 60).map(line).collect())
}
