use std::{
    path::Path,
    time::{Duration, Instant},
};

use table_examples::{
    Outcome,
    company::Company,
    csv_set::Counts,
    screen::{Screen, grouped, rate, took},
};
use table_patterns::{AllowTableScan, Store, prelude::*};

/// Stores the company and compares the stored entities with the counts.
pub(crate) async fn load(
    screen: &mut Screen,
    path: &Path,
    company: &Company,
    counted: Option<Counts>,
) -> Outcome<(Store, Tables)> {
    let store = Store::open(path)?;
    let tables = Tables::new(store.clone());
    let start = Instant::now();
    let mut lines = vec![
        kind(&tables, "Department", &company.departments, counted.map(|counts| counts.departments)).await?,
        kind(&tables, "Employee", &company.employees, counted.map(|counts| counts.employees)).await?,
        kind(&tables, "Assignment", &company.assignments, counted.map(|counts| counts.assignments)).await?,
        kind(&tables, "Leadership", &company.leaderships, counted.map(|counts| counts.leaderships)).await?,
        kind(&tables, "Title", &company.titles, counted.map(|counts| counts.titles)).await?,
        kind(&tables, "Salary", &company.salaries, counted.map(|counts| counts.salaries)).await?,
    ];
    let all = start.elapsed();
    lines.push(vec![
        "all".into(),
        String::new(),
        grouped(company.len()),
        String::new(),
        took(all),
        rate(company.len(), all),
    ]);
    let heading = [
        "entity",
        "table",
        " stored",
        if counted.is_some() { " in the CSV" } else { " made up" },
        " time",
        " rate",
    ];
    screen.table(&heading, lines);
    let bytes = std::fs::metadata(path)?.len();
    let entities = u64::try_from(company.len()).unwrap_or(u64::MAX).max(1);
    screen.say(format_args!(
        "{} bytes on disk, {} for each entity; every write was synced before it was acknowledged",
        grouped(bytes),
        grouped(bytes / entities)
    ));
    Ok((store, tables))
}

/// Stores the entities of one type, then counts them by reading them.
async fn kind<E: TableEntity + AllowTableScan>(
    tables: &Tables,
    name: &str,
    entities: &[E],
    counted: Option<usize>,
) -> Outcome<Vec<String>> {
    let start = Instant::now();
    tables.bulk().insert_all(entities).run().await?.into_result()?;
    let took_to_store: Duration = start.elapsed();
    let stored = E::scan_table().report(tables).await?.items.len();
    let expected = counted.unwrap_or(entities.len());
    if stored != expected {
        return Err(format!("{name}: {stored} are stored, {expected} are expected").into());
    }
    Ok(vec![
        name.into(),
        E::DESIGN.table.to_string(),
        grouped(stored),
        grouped(expected),
        took(took_to_store),
        rate(stored, took_to_store),
    ])
}
