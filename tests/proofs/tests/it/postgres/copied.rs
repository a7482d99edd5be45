//! `tables copy` of entities with index rows, totals, unfinished commits and tasks, to a database and back.

use std::{
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use table_model::{Entity, Operation, TableService};
use table_patterns::prelude::*;
use table_proofs::command;
use table_store::Store;

use super::{Error, Outcome, commands::run, database};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "CopiedStaff", partition = "{department}", row = "department")]
struct Team {
    department: String,
    #[table(from_source)]
    employees: i64,
    visits: i64,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "CopiedStaff", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_badge, partition = "badge_{badge:08}", row = "{department}_{id:06}"))]
#[table(counted_in(Team::employees))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    badge: u32,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "copied-visits", poison_after = 5)]
struct Visit {
    department: String,
}

impl Run for Visit {
    async fn run(&self, tables: &Tables) -> Result<table_patterns::prelude::Outcome> {
        tables.update(Team::point(&self.department), |team| team.visits += 1).await?;
        Ok(table_patterns::prelude::Outcome::Done)
    }
}

/// Writes employees whose commits are not finished, and sends a task.
async fn leave_work(tables: &Tables, department: &str, badges: u32) -> Result<(), Error> {
    let department = department.to_owned();
    tables.insert(&Team { department: department.clone(), employees: 0, visits: 0 }).await?;
    let deferring = tables.with_deferred_updates();
    for id in 1..=20 {
        let email = format!("{id}@contoso.com");
        deferring.insert(&Employee { department: department.clone(), id, email, badge: badges + id }).await?;
    }
    for id in 1..=10 {
        let point = Employee::point(&department, id);
        if id % 2 == 0 {
            deferring.delete_at(point).await?;
        } else {
            deferring.update(point, |employee| employee.badge += 1000).await?;
        }
    }
    tables.send(&Visit { department }).await?;
    Ok(())
}

/// Finishes the commits and the task at the target, and checks everything that they maintain.
async fn finish_work(tables: &Tables, department: &str, badges: u32) -> Result<(), Error> {
    tables.register_entity::<Employee>();
    tables.register_entity::<Team>();
    assert!(Employee::by_badge_rows(badges + 1001).all(tables).await?.is_empty(), "no commit was left");
    tables.catch_up().await?;
    for _ in 0..3 {
        let report = tables.worker().on::<Visit>().pass().await?;
        assert_eq!(report.failed, 0, "{report:?}");
    }
    let team = Team::point(department).get(tables).await?.expect("the team");
    assert_eq!((team.employees, team.visits), (15, 1));
    assert_eq!(Employee::by_badge_rows(badges + 1001).all(tables).await?.len(), 1);
    assert!(Employee::by_badge_rows(badges + 1).all(tables).await?.is_empty());
    assert!(Employee::by_badge_rows(badges + 2).all(tables).await?.is_empty());
    let found = Employee::by_email(department, "20@contoso.com").get(tables).await?;
    assert_eq!(found.expect("the employee").id, 20);
    let report = tables.verify::<Employee>().run().await?;
    assert!(report.is_clean(), "{report}");
    Ok(())
}

fn copy(program: &Path, from: &str, to: &str) -> Outcome {
    let (code, text) = run(program, &["copy", from, to, "--move-messages"])?;
    assert_eq!(code, Some(0), "{text}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_work_is_finished_once_at_the_target() -> Outcome {
    let database = database!();
    let (program, folder) = (command::build()?, tempfile::tempdir()?);
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (file, back, url) = (path("a.tables"), path("b.tables"), database.url());

    leave_work(&Tables::open(&file)?, "Sales", 100).await?;
    copy(&program, &file, &url)?;
    let tables = Tables::postgres(&url).await?;
    finish_work(&tables, "Sales", 100).await?;

    leave_work(&tables, "Marketing", 5000).await?;
    copy(&program, &url, &back)?;
    let tables = Tables::open(&back)?;
    finish_work(&tables, "Marketing", 5000).await?;
    let sales = Team::point("Sales").get(&tables).await?.expect("the team");
    assert_eq!((sales.employees, sales.visits), (15, 1));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_copy_to_a_database_is_continued() -> Outcome {
    let database = database!();
    let (program, folder) = (command::build()?, tempfile::tempdir()?);
    let file = folder.path().join("a.tables");
    let (store, table) = (Store::open(&file)?, "Rows".parse()?);
    store.create_table(&table).await?;
    for partition in 0..200 {
        let row = |row: i32| Operation::Insert(Entity::new(format!("{partition:04}"), format!("{row:04}")));
        store.transact(&table, &(0..100).map(row).collect::<Vec<_>>()).await?;
    }
    store.close().await?;
    let words = ["copy", file.to_str().expect("a path"), &database.url()];
    let mut parts = 0;
    for milliseconds in [100, 200, 300, 400] {
        let mut child =
            Command::new(&program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill()?;
        parts += usize::from(child.wait()?.code().is_none());
    }
    assert!(parts > 0, "no copy was killed");
    let (code, text) = run(&program, &words)?;
    assert!(code == Some(0) && text.contains("20000 rows"), "{text}");
    let (code, text) = run(&program, &[&words[..], &["--compare"]].concat())?;
    assert!(code == Some(0) && text.contains("table Rows: 20000 rows, equal"), "{text}");
    Ok(())
}
