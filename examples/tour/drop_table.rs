use std::time::Instant;

use table_examples::{
    Outcome,
    company::{Company, Salary},
    screen::{Screen, grouped, took},
};
use table_patterns::{Store, prelude::*};

/// Drops the largest table, shows that its name is unavailable during the sweep, and creates it again afterwards.
pub(crate) async fn show(screen: &mut Screen, store: &Store, tables: &Tables, company: &Company) -> Outcome {
    screen.code("tables.delete_table::<Salary>()");
    let start = Instant::now();
    tables.delete_table::<Salary>().await?;
    let dropped = start.elapsed();
    screen.say(format_args!(
        "{} entities gone in {}: one small write, the space comes back behind it",
        grouped(company.salaries.len()),
        took(dropped)
    ));
    if let Err(error) = tables.create::<Salary>().await {
        screen.say("the name is not free until the sweep has ended:");
        screen.refusal(error);
    }
    store.swept().await?;
    tables.create::<Salary>().await?;
    let department = company.departments.first().map_or("d001", |department| department.code.as_str());
    let left = Salary::scan_partition(department).all(tables).await?;
    screen.say(format_args!(
        "swept after {}; made again, it holds {} entities",
        took(start.elapsed()),
        left.len()
    ));
    if left.is_empty() { Ok(()) } else { Err("a new table must be empty".into()) }
}
