//! P8, the high-volume delete: a table for each day, so that old days are deleted as complete tables.
//!
//! Run `cargo run --example high_volume_delete`, or add `-- --data DIR` to read the three days of
//! `DIR/logs/auth_3days_gtkcyber.log`.

#[path = "high_volume_delete/log.rs"]
mod log;

use std::collections::BTreeMap;

use table_examples::{
    Outcome, data_folder,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

/// A line of a login log. The day is part of the table name. The keys contain it too, so a key is sufficient to find
/// the row.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{service}", row = "{at:inverted_ticks}_{line:06}")]
struct Login {
    service: String,
    at: Timestamp,
    line: u32,
    text: String,
}

/// In ticks.
const HOUR: i64 = 3600 * 10_000_000;

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let tables = Tables::in_memory()?;
    let lines = match data_folder("high_volume_delete")? {
        Some(folder) => log::read(&folder)?,
        None => log::made_up()?,
    };
    screen.title("A table for each day");

    screen.section("Writes choose the table by the entity, and make it");
    screen.code("tables.bulk().insert_all(&lines).run().await?");
    tables.bulk().insert_all(&lines).run().await?.into_result()?;
    let mut days: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        *days.entry(line.address()?.table().to_string()).or_default() += 1;
    }
    screen.table(&["table", " rows"], days.iter().map(|(table, rows)| vec![table.clone(), grouped(*rows)]));

    let newest = lines.iter().map(|line| line.at).max().ok_or("there are lines")?;
    let today = midnight(newest)?;

    screen.section("The newest lines: the last table answers alone");
    let last = Login::rows("sshd").take(4);
    screen.code("Login::rows(\"sshd\").take(4)");
    let report = last.report(&tables).await?;
    for line in &report.items {
        screen.say(format_args!("{}  {}", line.at, line.text));
    }
    screen.say(report.stats);
    // One request lists the existing tables.
    assert_eq!(report.stats.requests, 2);

    screen.section("A range over midnight: the tables of its days, and the order of the rows");
    let evening = Timestamp::from_ticks(today.ticks() - HOUR).ok_or("an hour before midnight")?;
    let range =
        Login::rows("sshd").between(evening..evening.saturating_add(std::time::Duration::from_secs(7200)));
    screen.code("Login::rows(\"sshd\").between(evening..night)");
    screen.say(range.explain()?.to_string().lines().next().unwrap_or_default());
    let report = range.report(&tables).await?;
    screen.say(report.stats);
    assert!(report.items.is_sorted_by_key(|line| std::cmp::Reverse(line.at)));

    screen.section("A filter over all days is a scan of each");
    let refused = Login::scan_partition("sshd").filter(|line| line.text.eq("Invalid user test"));
    screen.code("Login::scan_partition(\"sshd\").filter(|line| line.text.eq(\"Invalid user test\"))");
    screen.say(refused.report(&tables).await?.stats);

    screen.section("What is older than today goes, table by table");
    screen.code("tables.drop_before::<Login>(today).await?");
    let dropped = tables.drop_before::<Login>(today).await?;
    let gone: usize = dropped.iter().filter_map(|table| days.get(table.as_str())).sum();
    for table in &dropped {
        screen.say(format_args!("{table}: {} rows", grouped(days.get(table.as_str()).copied().unwrap_or(0))));
    }
    screen.say(format_args!(
        "{} requests, and one to ask for the names; row by row it would be {} deletes",
        dropped.len(),
        grouped(gone)
    ));
    assert!(tables.drop_before::<Login>(today).await?.is_empty(), "asked again, it has nothing to do");
    assert_eq!(Login::scan_table().all(&tables).await?.len(), lines.len() - gone);

    screen.section("A late line makes its day again");
    let late = Login { at: evening, text: "arrived late".into(), ..lines.first().ok_or("a line")?.clone() };
    let written = tables.insert(&late).await?;
    screen.say(written.address);
    Ok(())
}

/// Returns the start of the day of a time.
fn midnight(time: Timestamp) -> Outcome<Timestamp> {
    let day = time.to_string();
    Ok(format!("{}T00:00:00Z", day.get(..10).ok_or("a day")?).parse()?)
}
