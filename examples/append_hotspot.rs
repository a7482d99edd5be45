//! P12, the append anti-pattern: distribution of inserts for three designs of the same rows, and the cost of reading
//! rows with sharded keys.
//!
//! Run `cargo run --release --example append_hotspot`, or add `-- --data DIR` to read
//! `DIR/messages/git_commits.csv.gz`.

#[path = "append_hotspot/commits.rs"]
mod commits;

use std::collections::BTreeMap;

use table_examples::{
    Outcome, data_folder,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

/// Partitioned by day: all current inserts go to the partition of today. The compiler warns about this design, which is
/// intended here for comparison.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "ByDay", partition = "{at:%Y%m%d}", row = "{at:ticks}_{number:06}", allow(append_only))]
struct ByDay {
    at: Timestamp,
    number: u32,
}

/// Partitioned by author: distributed as evenly as the commits of the authors.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "ByAuthor", partition = "{author}", row = "{at:ticks}_{number:06}")]
struct ByAuthor {
    author: String,
    at: Timestamp,
    number: u32,
}

/// Partitioned by a hash of the commit number: sixteen partitions, independent of author and time.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Spread", partition = "{shard:02}", row = "{at:ticks}_{number:06}")]
#[table(shard(of = number, count = 16))]
struct Commit {
    at: Timestamp,
    number: u32,
    author: String,
}

/// In ticks.
const WEEK: i64 = 7 * 86_400 * 10_000_000;

/// Number of consecutive inserts that are analyzed together.
const RUSH: usize = 1_000;

/// Number of servers, each with a range of the partitions.
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

/// Distribution of inserts over partitions, and over servers with a range of partitions each.
struct Landing {
    partitions: usize,
    busiest: usize,
    /// Maximum number of the last inserts that went to the same server.
    rush: usize,
}

impl Landing {
    fn of(commits: &[Commit], address: impl Fn(&Commit) -> Result<table_patterns::Address>) -> Outcome<Self> {
        let key = |commit: &Commit| Ok::<_, Error>(address(commit)?.partition_key().to_owned());
        let keys = commits.iter().map(key).collect::<Result<Vec<_>>>()?;
        // Ranges in key order with equal numbers of rows, which is the best balance that splits can achieve.
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

/// Returns the number of occurrences of the most frequent item.
fn most<T: Ord>(items: impl IntoIterator<Item = T>) -> usize {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts.into_values().max().unwrap_or(0)
}
