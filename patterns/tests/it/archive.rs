//! Moves into an archive, and task steps that are executed once.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod occupied;
mod reopened;

use serde::{Deserialize, Serialize};
use table_model::{Condition, Operation, Properties, TableName};
use table_patterns::{TaskError, WorkReport, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", archive = "FormerEmployees")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_age, table = "EmployeesByAge", partition = "{age:03}", row = "{department}_{id:06}"))]
#[table(lookup(by_last_name, on = last_name, place = partition))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    last_name: String,
    age: u16,
}

fn employee(id: u32) -> Employee {
    let email = format!("e{id}@contoso.com");
    Employee { department: "Sales".into(), id, email, last_name: "Jones".into(), age: 30 }
}

fn rows(tables: &Tables, table: &str) -> Vec<String> {
    let table = TableName::new(table).unwrap();
    let segment = pollster::block_on(tables.service().query(&table, table_model::Query::default()));
    let Ok(segment) = segment else { return Vec::new() };
    segment.rows.iter().map(|row| row.row_key.unwrap().to_owned()).collect()
}

fn pass(tables: &Tables) -> WorkReport {
    pollster::block_on(tables.worker().on::<Archive<Employee>>().pass()).unwrap()
}

#[test]
fn what_is_archived_is_there_whole_and_here_no_more() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let (one, two) = (employee(1), employee(2));
    b.insert(&one).unwrap();
    b.insert(&two).unwrap();
    // A property that the type does not declare.
    let mut note = Properties::new();
    note.set("Note", "kept");
    let note = table_model::Entity {
        partition_key: "Sales".into(),
        row_key: "empid_000001".into(),
        properties: note,
    };
    let merge = Operation::Merge(note, Condition::Exists);
    pollster::block_on(tables.service().execute(&TableName::new("Employees").unwrap(), &merge)).unwrap();

    let stored = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    let key = stored.key();
    pollster::block_on(tables.archive(&stored)).unwrap();
    // Nothing is moved until a worker runs the task.
    assert!(b.get(&Employee::point("Sales", 1)).unwrap().is_some());
    assert_eq!(pollster::block_on(tables.archived(&key)).unwrap(), None);
    assert_eq!(pass(&tables).done, 1);

    assert_eq!(pollster::block_on(tables.archived(&key)).unwrap(), Some(one.clone()));
    let bag = b.get(&DynamicEntity::point("FormerEmployees", "Sales", "empid_000001")).unwrap().unwrap();
    assert_eq!(bag.get::<String>("Note").unwrap().as_deref(), Some("kept"));
    assert_eq!(bag.entity_type(), Some("Employee"));
    assert_eq!(rows(&tables, "FormerEmployees"), ["empid_000001"]);
    assert_eq!(rows(&tables, "EmployeesByAge"), ["Sales_000002"]);
    assert_eq!(
        rows(&tables, "Employees"),
        ["email_e2@contoso.com", "empid_000002", "lastname_Jones!empid_000002"]
    );

    // Hired again: the new entity remains, because no message is left. After another move, the archive contains the
    // newer state.
    let again = Employee { age: 50, ..one };
    b.insert(&again).unwrap();
    assert_eq!(pass(&tables), WorkReport::default());
    assert!(pollster::block_on(tables.move_entity(&key, "FormerEmployees")).unwrap());
    assert_eq!(pollster::block_on(tables.archived(&key)).unwrap(), Some(again));
    assert!(!pollster::block_on(tables.move_entity(&key, "FormerEmployees")).unwrap());
}

#[test]
fn a_move_stays_out_of_the_entitys_own_table() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(1)).unwrap();
    let error = pollster::block_on(tables.move_entity(&employee(1).key(), "employees")).unwrap_err();
    assert!(matches!(error, Error::Task(TaskError::SameTable { .. })));
    assert!(pollster::block_on(tables.move_entity(&employee(1).key(), "no table")).is_err());
    assert!(tables.blocking().get(&Employee::point("Sales", 1)).unwrap().is_some());
}

#[test]
fn an_entity_that_cannot_be_read_is_put_aside_and_stays_where_it_is() {
    let tables = Tables::in_memory().unwrap();
    let mut bag = DynamicEntity::new("Employees", "Sales", "empid_000001").unwrap();
    bag.set("EntityType", "Employee");
    tables.blocking().insert(&bag).unwrap();
    pollster::block_on(tables.send(&Archive::<Employee>::of(&employee(1).key()).unwrap())).unwrap();
    assert_eq!(pass(&tables).failed, 1);
    assert_eq!(rows(&tables, "Employees"), ["empid_000001"]);
    assert_eq!(rows(&tables, "FormerEmployees"), [] as [&str; 0]);
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Accounts", partition = "{owner}", row = "account")]
struct Account {
    owner: String,
    balance: i64,
}

/// A task with two steps in two partitions, each executed once. It fails between the steps for the given number of
/// times.
#[derive(Task, Serialize, Deserialize)]
#[task(queue = "transfers", poison_after = 9)]
struct Transfer {
    from: String,
    to: String,
    amount: i64,
}

async fn add(tables: &Tables, owner: &str, amount: i64, step: &str) -> Result<()> {
    let Some(mut account) = Account::point(owner).get(tables).await? else { return Ok(()) };
    account.balance += amount;
    tables.transact().replace(&account).once(step).await
}

impl Run for Transfer {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        add(tables, &self.from, -self.amount, "take").await?;
        add(tables, &self.to, self.amount, "give").await?;
        // Repeat the complete task, in the same run and in the next run.
        add(tables, &self.from, -self.amount, "take").await?;
        Ok(if self.amount == 7 { Outcome::Retry(std::time::Duration::ZERO) } else { Outcome::Done })
    }
}

fn balance(tables: &Tables, owner: &str) -> i64 {
    tables.blocking().get(&Account::point(owner)).unwrap().unwrap().balance
}

#[test]
fn a_step_that_is_done_once_is_not_repeated_by_any_run() {
    let tables = Tables::in_memory().unwrap();
    for owner in ["jo", "mo"] {
        tables.blocking().insert(&Account { owner: owner.into(), balance: 100 }).unwrap();
    }
    let transfer = |amount| Transfer { from: "jo".into(), to: "mo".into(), amount };
    pollster::block_on(tables.send(&transfer(7))).unwrap();
    let worker = tables.worker().on::<Transfer>();
    for _ in 0..3 {
        assert_eq!(pollster::block_on(worker.pass()).unwrap().put_off, 1);
    }
    assert_eq!((balance(&tables, "jo"), balance(&tables, "mo")), (93, 107));
    // Another task has separate step records.
    pollster::block_on(tables.send(&transfer(10))).unwrap();
    assert_eq!(pollster::block_on(worker.pass()).unwrap().done, 1);
    assert_eq!((balance(&tables, "jo"), balance(&tables, "mo")), (83, 117));
    // The idempotency records are not entities.
    assert_eq!(tables.blocking().all(&Account::scan_table()).unwrap().len(), 2);
}

/// Adds one to an account that other tasks change concurrently.
#[derive(Task, Serialize, Deserialize)]
#[task(queue = "deposits", poison_after = 1)]
struct Deposit {
    owner: String,
}

impl Run for Deposit {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        add(tables, &self.owner, 1, "deposit").await?;
        Ok(Outcome::Done)
    }
}

#[test]
fn lost_races_do_not_fail_tasks() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&Account { owner: "jo".into(), balance: 0 }).unwrap();
    for _ in 0..24 {
        pollster::block_on(tables.send(&Deposit { owner: "jo".into() })).unwrap();
    }
    let worked = pollster::block_on(tables.worker().on::<Deposit>().pass()).unwrap();
    assert_eq!((worked.done, worked.failed, worked.poisoned), (24, 0, 0));
    assert_eq!(balance(&tables, "jo"), 24);
}

/// The archived employees, with an index that a move does not write.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "FormerEmployees", partition = "{department}", row = "empid_{id:06}", aliases("Employee"))]
#[table(index(by_email, row = "email_{email}", unique))]
struct FormerEmployee {
    department: String,
    id: u32,
    email: String,
}

#[test]
fn move_to_a_type_with_index_rows_is_rejected() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(1)).unwrap();
    let key = EmployeeKey { department: "Sales".into(), id: 1 };
    tables.register_entity::<FormerEmployee>();
    let error = pollster::block_on(tables.move_entity(&key, "FormerEmployees")).unwrap_err();
    let Error::Task(TaskError::DerivedRows { entity, archived }) = error else { panic!("{error:?}") };
    assert_eq!((entity, archived), ("Employee", "FormerEmployee"));
    assert!(tables.blocking().get(&Employee::point("Sales", 1)).unwrap().is_some());
    assert!(rows(&tables, "FormerEmployees").is_empty());
}

#[test]
fn what_fails_leaves_no_marker_and_outside_of_a_task_there_is_no_once() {
    let tables = Tables::in_memory().unwrap();
    let account = Account { owner: "jo".into(), balance: 1 };
    let error = pollster::block_on(tables.transact().insert(&account).once("open")).unwrap_err();
    assert!(matches!(error, Error::Task(TaskError::NoTask)));
    assert_eq!(rows(&tables, "Accounts"), [] as [&str; 0]);
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "dept")]
struct Department {
    department: String,
    #[table(from_source)]
    desks: i64,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Desks", partition = "{department}", row = "desk_{id:03}")]
#[table(counted_in(Department::desks))]
struct Desk {
    department: String,
    id: u32,
}

#[test]
fn aggregate_row_without_entity_is_not_moved() {
    let tables = Tables::in_memory().unwrap();
    pollster::block_on(async {
        tables.insert(&Desk { department: "Sales".into(), id: 1 }).await.unwrap();
        tables.catch_up().await.unwrap();
        let key = DepartmentKey { department: "Sales".into() };
        assert!(!tables.move_entity(&key, "FormerDepartments").await.unwrap());
        tables.insert(&Department { department: "Sales".into(), desks: 0 }).await.unwrap();
        let sales = Department::point("Sales").get(&tables).await.unwrap().unwrap();
        assert_eq!(sales.desks, 1);
    });
}
