//! P9, the data series: one entity contains the 24 hourly counts of a day, with a property for each hour. One merge
//! writes one hour, and one read returns the complete chart.
//!
//! Run `cargo run --example data_series`, or add `-- --data DIR` to read the commits in
//! `DIR/messages/git_commits.csv.gz`.

#[path = "data_series/commits.rs"]
mod commits;

use table_examples::{Outcome, data_folder, screen::grouped, spark::line};
use table_patterns::prelude::*;

/// Commits of one author on one day, by hour.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Commits", partition = "{author}", row = "{day:%Y%m%d}")]
struct Commits {
    author: String,
    day: Date,
    /// Stored as `hours_00` to `hours_23`. An hour without commits is not stored.
    #[table(series)]
    hours: [Option<i32>; 24],
}

/// Properties of the chart of a day: only the counts.
#[derive(Projection)]
#[table(of = Commits)]
struct Chart {
    day: Date,
    hours: [Option<i32>; 24],
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let days = match data_folder("data_series")? {
        Some(folder) => commits::read(&folder)?,
        None => commits::made_up()?,
    };
    let (author, busiest) = commits::busiest(&days).ok_or("there is a day")?;
    let commits: i64 = days.iter().map(|day| i64::from(total(&day.hours))).sum();
    println!("{} commits by {} authors", grouped(commits), grouped(commits::authors(&days)));
    tables.bulk().insert_all(&days).run().await?.into_result()?;
    println!(
        "as rows they would be {}; as series of a day they are {}",
        grouped(commits),
        grouped(days.len())
    );

    println!("\none hour is one merge of one property, whatever else others write:");
    let before = Commits::point(&author, busiest).get(&tables).await?.ok_or("the day is there")?;
    let one_more = Commits::patch(&author, busiest).hours(23, before.hours[23].unwrap_or(0) + 1);
    tables.merge(one_more).await?;
    println!("  tables.merge(Commits::patch(author, {busiest}).hours(23, ..))");

    println!("the first hour of a day makes the entity:");
    let next = Date::new(busiest.year() + 1, 1, 1).ok_or("a year has a first day")?;
    tables.upsert_merge(Commits::patch(&author, next).hours(9, 1)).await?;
    println!("  tables.upsert_merge(Commits::patch(author, {next}).hours(9, 1))");

    println!("a count that others raise too is read, changed and replaced, again if somebody was faster:");
    let raised =
        tables.update(Commits::point(&author, next), |day| *day.hours[9].get_or_insert(0) += 1).await?;
    println!("  09:00 is {:?} now", raised.hours[9]);
    assert_eq!(raised.hours[9], Some(2));

    println!("\nthe busiest month of {author}, one range; a line is one entity, a sign is one hour:");
    let month = Commits::rows(&author).between(month_of(busiest)?).select::<Chart>().take(14);
    let report = month.report(&tables).await?;
    println!("              0h    6h    12h   18h");
    for chart in &report.items {
        println!("  {}  {}  {:>4}", chart.day, line(&chart.hours), total(&chart.hours));
    }
    println!("  {}", report.stats);
    assert!(!report.items.is_empty());

    println!("\nwho works at three in the morning? a filter asks about one slot:");
    let night = Commits::scan_partition(&author).filter(|e| e.hours.slot(3).ge(1));
    let report = night.report(&tables).await?;
    println!("  {author}, on {} of {} days", report.stats.returned, report.stats.read);

    println!("\nan hour that no day has is refused before anything is sent:");
    let error = tables.merge(Commits::patch(&author, busiest).hours(24, 1)).await.err();
    println!("  {}", error.ok_or("hour 24 was taken")?);
    Ok(())
}

fn total(hours: &[Option<i32>; 24]) -> i32 {
    hours.iter().flatten().sum()
}

/// Returns the first four weeks of the month of a day.
fn month_of(day: Date) -> Outcome<std::ops::RangeInclusive<Date>> {
    let at = |number: u8| Date::new(day.year(), day.month(), number).ok_or("every month has 28 days");
    Ok(at(1)?..=at(28)?)
}
