//! P12, the append anti-pattern: where inserts land by three designs of the same rows, and what it costs to read rows
//! whose keys are spread.
//!
//! `cargo run --release --example append_hotspot`, or with `-- --data DIR` for `DIR/messages/git_commits.csv.gz`.

#[path = "append_hotspot/commits.rs"]
mod commits;

use std::collections::BTreeMap;

use table_examples::{
    Outcome, data_folder,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

/// By day: whatever is inserted now goes to today's partition. The compiler warns; here it is meant, to be counted.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "ByDay", partition = "{at:%Y%m%d}", row = "{at:ticks}_{number:06}", allow(append_only))]
struct ByDay {
    at: Timestamp,
    number: u32,
}

/// By author: spread, as far as the authors are alike.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "ByAuthor", partition = "{author}", row = "{at:ticks}_{number:06}")]
struct ByAuthor {
    author: String,
    at: Timestamp,
    number: u32,
}

/// By a hash of the commit's number: sixteen partitions, whoever writes and whenever.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Spread", partition = "{shard:02}", row = "{at:ticks}_{number:06}")]
#[table(shard(of = number, count = 16))]
struct Commit {
    at: Timestamp,
    number: u32,
    author: String,
}

/// In the ticks of a time.
const WEEK: i64 = 7 * 86_400 * 10_000_000;

/// How many of the inserts that come one after the other are looked at together.
const RUSH: usize = 1_000;

/// How many servers hold a range of the partitions each.
const SERVERS: usize = 8;

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let commits = match data_folder("append_hotspot")? {
        Some(folder) => commits::read(&folder)?,
        None => commits::made_up()?,
    };
    screen.title("Inserts at one end, and keys that are spread");

    screen.section("Where the inserts land");
    screen.say(format_args!("{} commits, in the order of time, by three designs:", grouped(commits.len())));
    let by_day = |commit: &Commit| ByDay { at: commit.at, number: commit.number }.address();
    let by_author = |commit: &Commit| {
        ByAuthor { author: commit.author.clone(), at: commit.at, number: commit.number }.address()
    };
    let designs = [
        ("{at:%Y%m%d}", Landing::of(&commits, by_day)?),
        ("{author}", Landing::of(&commits, by_author)?),
        ("{shard:02}", Landing::of(&commits, Commit::address)?),
    ];
    let rows = designs.iter().map(|(partition, landing)| landing.row(partition));
    screen.table(
        &["PartitionKey", " partitions", " rows of the busiest", " of the last 1,000, on one server of 8"],
        rows,
    );
    screen
        .say("A server holds a range of partitions, in the order of their keys. By day, all that comes now");
    screen.say("is at the end of the last range, and no split helps; by author, one who writes much is hot.");
    screen.say("Shards are all alike.");
    let [(_, by_day), _, (_, spread)] = &designs;
    assert_eq!(by_day.rush, RUSH);
    assert!(spread.rush * 4 < RUSH, "no server takes much more than an eighth");

    screen.section("A row by its key: the shard is computed");
    let tables = Tables::in_memory()?;
    tables.bulk().insert_all(&commits).run().await?.into_result()?;
    let last = commits.last().ok_or("there are commits")?;
    screen.code(format_args!("Commit::point(at, {})", last.number));
    let found = Commit::point(last.at, last.number).get(&tables).await?.ok_or("it is there")?;
    screen.say(format_args!("{}, in one request", found.key()));

    screen.section("All rows of a time, in its order: one request to each shard");
    let week = Timestamp::from_ticks(last.at.ticks() - WEEK).ok_or("a week before")?..=last.at;
    let query = Commit::rows().between(week);
    screen.code("Commit::rows().between(week)");
    screen.say(query.explain()?.to_string().lines().next().unwrap_or_default());
    let report = query.report(&tables).await?;
    screen.say(report.stats);
    assert!(report.items.is_sorted_by_key(|commit| commit.at));

    screen.section("The first ten of them: up to ten of each shard are read");
    let report = query.take(10).report(&tables).await?;
    screen.say(report.stats);
    assert!(report.stats.read <= 160);
    Ok(())
}

/// How inserts spread over partitions, and over servers, each of which holds a range of them.
struct Landing {
    partitions: usize,
    busiest: usize,
    /// Of the last inserts, how many went to one of the servers.
    rush: usize,
}

impl Landing {
    fn of(commits: &[Commit], address: impl Fn(&Commit) -> Result<table_patterns::Address>) -> Outcome<Self> {
        let key = |commit: &Commit| Ok::<_, Error>(address(commit)?.partition_key().to_owned());
        let keys = commits.iter().map(key).collect::<Result<Vec<_>>>()?;
        // Ranges in the order of the keys, with equally many rows: as far as splits can balance them.
        let mut sorted = keys.clone();
        sorted.sort();
        let ends: Vec<&String> =
            (1..SERVERS).filter_map(|server| sorted.get(server * sorted.len() / SERVERS)).collect();
        let server = |key: &String| ends.partition_point(|end| *end <= key);
        let last = keys.get(keys.len().saturating_sub(RUSH)..).unwrap_or_default();
        let rush = most(last.iter().map(server));
        sorted.dedup();
        Ok(Self { partitions: sorted.len(), busiest: most(&keys), rush })
    }

    fn row(&self, partition: &str) -> Vec<String> {
        vec![partition.to_owned(), grouped(self.partitions), grouped(self.busiest), grouped(self.rush)]
    }
}

/// How often the most frequent of them comes.
fn most<T: Ord>(items: impl IntoIterator<Item = T>) -> usize {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts.into_values().max().unwrap_or(0)
}
