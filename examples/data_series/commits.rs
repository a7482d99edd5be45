use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    path::Path,
};

use flate2::read::GzDecoder;
use table_examples::Outcome;
use table_patterns::prelude::*;

use crate::{Commits, total};

/// Counts of each author and day.
type Counts = BTreeMap<(String, Date), [Option<i32>; 24]>;

/// Counts the commits in `folder/messages/git_commits.csv.gz`: author, and time as `2005-04-07T22:13:13Z`.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Commits>> {
    let file = folder.join("messages/git_commits.csv.gz");
    let opened = File::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut counts = Counts::new();
    for line in csv::Reader::from_reader(GzDecoder::new(opened)).records() {
        let line = line?;
        let (author, time) = (line.get(0).unwrap_or_default(), line.get(1).unwrap_or_default());
        let day = time.get(..10).ok_or("a line without a time")?.parse()?;
        let hour = time.get(11..13).ok_or("a line without an hour")?.parse()?;
        count(&mut counts, author, day, hour, 1);
    }
    Ok(days(counts))
}

/// Generates commits of three authors with different rhythms over one year.
pub(crate) fn made_up() -> Outcome<Vec<Commits>> {
    let mut counts = Counts::new();
    for (author, begins, ends) in [("jonesj", 8, 17), ("night-owl", 20, 24), ("everywhere", 0, 24)] {
        for (month, day) in (1..=12).flat_map(|month| (1..=28).map(move |day| (month, day))) {
            for hour in begins..ends {
                // Some hours have no commits.
                let commits = (usize::from(month) * 31 + usize::from(day) * hour * hour) % 7;
                let day = Date::new(2014, month, day).ok_or("no month has fewer than 28 days")?;
                count(&mut counts, author, day, hour, i32::try_from(commits)?);
            }
        }
    }
    Ok(days(counts))
}

fn count(counts: &mut Counts, author: &str, day: Date, hour: usize, more: i32) {
    let hours = counts.entry((author.to_owned(), day)).or_default();
    if let Some(slot) = hours.get_mut(hour).filter(|_| more > 0) {
        *slot = Some(slot.unwrap_or(0) + more);
    }
}

fn days(counts: Counts) -> Vec<Commits> {
    counts.into_iter().map(|((author, day), hours)| Commits { author, day, hours }).collect()
}

/// Returns the author with the most commits, and the day with most of this author's commits.
pub(crate) fn busiest(days: &[Commits]) -> Option<(String, Date)> {
    let mut totals: BTreeMap<&str, i32> = BTreeMap::new();
    for day in days {
        *totals.entry(&day.author).or_default() += total(&day.hours);
    }
    let (author, _) = totals.into_iter().max_by_key(|(_, total)| *total)?;
    let of_author = days.iter().filter(|day| day.author == author);
    let day = of_author.max_by_key(|day| total(&day.hours))?;
    Some((author.to_owned(), day.day))
}

/// Returns the number of authors.
pub(crate) fn authors(days: &[Commits]) -> usize {
    days.iter().map(|day| &day.author).collect::<BTreeSet<_>>().len()
}
