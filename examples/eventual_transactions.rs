//! P3, eventually consistent transactions: a retired employee is moved from the current employees to an archive and
//! counted once. This involves two tables and three partitions, so one transaction is not possible. A task message
//! guarantees the operation, and any number of workers can execute it.
//!
//! Run `cargo run --release --example eventual_transactions`, or add `-- --data DIR` to read the employees in
//! `DIR/employees_5k`.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use table_examples::{
    Outcome as Ended,
    company::{Company, Employee, EmployeeKey},
    csv_set, data_folder, made_up,
    screen::grouped,
};
use table_patterns::{prelude::*, queue::GetMessages};

const ARCHIVE: &str = "FormerEmployees";

/// Number of employees who left a department.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Statistics", partition = "{department}", row = "leavers")]
struct Leavers {
    department: String,
    count: i32,
}

/// Task for one retired employee.
#[derive(Task, Serialize, Deserialize)]
#[task(queue = "leavers")]
struct FileAway {
    department: String,
    id: u32,
}

impl Run for FileAway {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        let key = EmployeeKey { department: self.department.clone(), id: self.id };
        // Idempotent: it requires the versions that it read.
        tables.move_entity(&key, ARCHIVE).await?;
        // Not idempotent: an idempotency record in the same transaction prevents a second execution.
        loop {
            let Some(mut leavers) = Leavers::point(&self.department).get(tables).await? else {
                return Ok(Outcome::Poison(format!("nobody counts for {}", self.department)));
            };
            leavers.count += 1;
            match tables.transact().replace(&leavers).once("count").await {
                // A concurrent worker counted another employee.
                Err(error) if error.is_conflict() => {}
                other => return other.map(|()| Outcome::Done),
            }
        }
    }
}

fn main() -> Ended {
    pollster::block_on(run())
}

async fn run() -> Ended {
    let company = match data_folder("eventual_transactions")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(300),
    };
    let leavers = leavers(&company);
    let tables = Tables::in_memory()?;
    tables.bulk().insert_all(&company.employees).run().await?.into_result()?;
    for department in company.departments {
        tables.insert(&Leavers { department: department.code, count: 0 }).await?;
    }
    println!("{} employees, {} of whom retire", grouped(company.employees.len()), grouped(leavers.len()));

    for (department, id) in &leavers {
        tables.send(&FileAway { department: department.clone(), id: *id }).await?;
    }
    tables.send(&FileAway { department: "d999".into(), id: 1 }).await?;
    println!("each was sent as a message, and one of a department that is not there");
    let queue = FileAway::QUEUE.parse()?;
    let get = GetMessages::new().count(20).visibility(Duration::from_secs(1));
    let died_over = tables.queues()?.get_messages(&queue, get).await?.len();
    println!("a worker took {died_over} of them and died: after a second others see them again");

    let start = Instant::now();
    let workers: Vec<_> =
        (0..3).map(|_| tables.worker().on::<FileAway>().spawn()).collect::<Result<_, _>>()?;
    let all = u64::try_from(leavers.len() + 1)?;
    while tables.queues()?.queue_properties(&queue).await?.approximate_messages > 0 {
        std::thread::yield_now();
    }
    println!("\nthree workers, {:.1?}:", start.elapsed());
    let mut ended = 0;
    for worker in workers {
        let report = worker.stop()?;
        println!(
            "  {:>6} done, {} put off, {} put aside",
            grouped(report.done),
            report.put_off,
            report.poisoned
        );
        ended += report.done + report.poisoned;
    }
    assert_eq!(ended, all);
    for poisoned in tables.poisoned::<FileAway>().await? {
        println!("  put aside after {} run: {}", poisoned.dequeued, poisoned.reason);
    }

    let here = Employee::scan_table().all(&tables).await?.len();
    let (mut there, mut counted) = (0, 0);
    for (department, id) in &leavers {
        let row = DynamicEntity::point(ARCHIVE, department, format!("empid_{id:06}")).get(&tables).await?;
        there += usize::from(row.is_some());
    }
    for leavers in Leavers::scan_table().all(&tables).await? {
        counted += leavers.count;
    }
    println!("\n{} are here, {} in the archive, {} counted", grouped(here), grouped(there), grouped(counted));
    assert_eq!((here + there, there), (company.employees.len(), leavers.len()));
    // Each employee is counted once, regardless of the number of runs.
    assert_eq!(usize::try_from(counted)?, leavers.len());
    Ok(())
}

/// Returns the employees who are old enough to retire.
fn leavers(company: &Company) -> BTreeSet<(String, u32)> {
    let old = company.employees.iter().filter(|employee| employee.born.year() < 1955);
    old.map(|employee| (employee.department.clone(), employee.id)).collect()
}
