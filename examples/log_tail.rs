//! P7, the log tail: a RowKey that starts with inverted ticks, so that the newest entries come first.
//!
//! Run `cargo run --release --example log_tail`, or add `-- --data DIR` to read the CSV files of the employees.

use std::collections::BTreeMap;

use table_examples::{
    Outcome,
    company::Salary,
    csv_set, data_folder, made_up,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let company = match data_folder("log_tail")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(1_000),
    };
    let tables = Tables::in_memory()?;
    let written = tables.bulk().insert_all(&company.salaries).run().await?.into_result()?;
    screen.title("The log tail: {from:inverted_ticks}_{employee:06}");
    screen.say(format_args!(
        "{} changes of salary; ticks count down, so later ones have smaller keys",
        grouped(written)
    ));
    let mut changes: BTreeMap<&str, Vec<&Salary>> = BTreeMap::new();
    for salary in &company.salaries {
        changes.entry(&salary.department).or_default().push(salary);
    }
    let (department, changes) =
        changes.into_iter().max_by_key(|(_, all)| all.len()).ok_or("somebody is paid")?;

    screen.section("The ten newest, without knowing when they were");
    let newest = Salary::rows(department).take(10);
    screen.code(newest.explain()?);
    let report = newest.report(&tables).await?;
    let rows = report.items.iter();
    screen.table(
        &["from", " employee", " a year"],
        rows.map(|salary| vec![salary.from.to_string(), salary.employee.to_string(), grouped(salary.amount)]),
    );
    screen.say(format_args!(
        "of {} in the partition {} were read",
        grouped(changes.len()),
        report.stats.read
    ));
    let last = changes.iter().map(|salary| salary.from).max();
    assert_eq!(report.items.first().map(|salary| salary.from), last);
    assert_eq!(report.stats.read, report.items.len() as u64);

    screen.section("A span, asked for in the order of time; the order of the keys is computed");
    let (from, to): (Date, Date) = ("1998-01-01".parse()?, "1999-01-01".parse()?);
    let year = Salary::rows(department).between(from..to);
    screen.code(year.explain()?);
    let found = year.all(&tables).await?;
    assert_eq!(found.len(), changes.iter().filter(|salary| (from..to).contains(&salary.from)).count());
    assert!(found.is_sorted_by(|left, right| left.from >= right.from), "newest first");
    screen.say(format_args!(
        "{} changes of 1998, newest first; the day of each comes back from its key",
        found.len()
    ));

    screen.section("Older ones, page by page from where the last page ended");
    let pages = Salary::rows(department).page_size(500);
    let first = pages.page(&tables).await?;
    let cursor = first.cursor.clone().map(|cursor| cursor.to_string());
    let next = match cursor {
        Some(text) => pages.resume(text.parse()?).page(&tables).await?.items.len(),
        None => 0,
    };
    screen.say(format_args!(
        "{} newest, then {next}: the cursor is a text that can be kept",
        first.items.len()
    ));
    Ok(())
}
