//! P6, the compound key: a RowKey of two fields, so that entities of one type can be found by one field or both.
//!
//! Run `cargo run --release --example compound_key`, or add `-- --data DIR` to read the CSV files of the employees.

use table_examples::{
    Outcome,
    company::Title,
    csv_set, data_folder, made_up,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

/// Columns of a list of titles: only two properties are transferred.
#[derive(Projection)]
#[table(of = Title)]
struct Line {
    from: Date,
    title: String,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let company = match data_folder("compound_key")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(1_000),
    };
    let tables = Tables::in_memory()?;
    let written = tables.bulk().insert_all(&company.titles).run().await?.into_result()?;
    screen.title("A compound key: {employee:06}_{from:%Y%m%d}");
    screen.say(format_args!("{} titles that employees had, one row each", grouped(written)));
    let of = |title: &Title| company.titles.iter().filter(|other| other.employee == title.employee).count();
    let most = company.titles.iter().max_by_key(|title| of(title)).ok_or("somebody has a title")?;

    screen.section("One title: both parts are known, a point query");
    let one = Title::point(&most.department, most.employee, most.from);
    screen.code(one.explain()?);
    let title = one.get(&tables).await?.ok_or("the title is there")?;
    screen.say(format_args!("employee {} from {}: {}", title.employee, title.from, title.title));

    screen.section("All titles of one employee: a range of the same keys, and two properties of each");
    let all = Title::rows(&most.department).at(most.employee).select::<Line>();
    screen.code(all.explain()?);
    let lines = all.all(&tables).await?;
    for line in &lines {
        screen.say(format_args!("from {}: {}", line.from, line.title));
    }
    assert!(!lines.is_empty() && lines.len() <= of(most));

    screen.section("What began in a span of time: the second part is bounded");
    let (first, last): (Date, Date) = ("1990-01-01".parse()?, "1999-12-31".parse()?);
    let span = Title::rows(&most.department).at(most.employee).between(first..=last);
    screen.code(span.explain()?);
    let found = span.all(&tables).await?;
    assert!(found.iter().all(|title| (first..=last).contains(&title.from)));
    screen.say(format_args!("{} of {}", found.len(), lines.len()));

    screen.section("A block of employees: the first part is bounded");
    let block = Title::rows(&most.department).between(most.employee..most.employee + 100);
    screen.code(block.explain()?);
    let report = block.report(&tables).await?;
    screen.say(format_args!("{} rows read, {} returned", report.stats.read, report.stats.returned));
    assert_eq!(report.stats.read, report.stats.returned);
    Ok(())
}
