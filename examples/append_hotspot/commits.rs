use std::{fs::File, path::Path, time::Duration};

use flate2::read::GzDecoder;
use table_examples::Outcome;
use table_patterns::prelude::*;

use crate::Commit;

/// Reads the commits in `folder/messages/git_commits.csv.gz`: author, and time as `2005-04-07T22:13:13Z`. They are
/// sorted by time, the order in which a service would receive them.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Commit>> {
    let file = folder.join("messages/git_commits.csv.gz");
    let opened = File::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut commits = Vec::new();
    for (line, number) in csv::Reader::from_reader(GzDecoder::new(opened)).records().zip(0..) {
        let line = line?;
        let (author, time) = (line.get(0).unwrap_or_default(), line.get(1).unwrap_or_default());
        commits.push(Commit { at: time.parse()?, number, author: author.to_owned() });
    }
    commits.sort_by_key(|commit| (commit.at, commit.number));
    Ok(commits)
}

/// Generates thirty days with one author of every other commit, and forty authors who share the rest.
pub(crate) fn made_up() -> Outcome<Vec<Commit>> {
    let start: Timestamp = "2014-07-01T00:00:00Z".parse()?;
    let commit = |number: u32| Commit {
        at: start.saturating_add(Duration::from_secs(u64::from(number) * 60)),
        number,
        author: if number.is_multiple_of(2) { "a00".into() } else { format!("a{:02}", 1 + number % 79 / 2) },
    };
    Ok((0..30 * 24 * 60).map(commit).collect())
}
