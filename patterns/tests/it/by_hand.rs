//! The contract between the derive and the runtime: manual implementations of the derive output for two entities, a
//! projection and a union. The tests check that they compile, and test the behavior of the runtime with them.

#![allow(unreachable_pub, unused_qualifications, dead_code, reason = "written as generated code is")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::needless_lifetimes,
    reason = "setters and service calls are as they are"
)]

mod employee;
mod review;
mod shapes;

mod bags;
mod bulks;
mod concurrency;
mod cursors;
mod keys;
mod queries;
mod scans;
mod transactions;
mod verbs;
pub(crate) mod watched;

use employee::{Employee, EmployeeKey};
use review::{Review, ReviewKey};
use shapes::{Member, Rating};
use table_patterns::prelude::*;

/// Runs a future to completion without a runtime.
fn run<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

fn review(id: u32, year: u16) -> Review {
    let manager_rating = i32::from(year % 5) + 1;
    Review { department: "Sales".into(), id, year, manager_rating, comment: None }
}

fn employee(id: u32) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        last_name: format!("Jones{id}"),
        age: 20 + i32::try_from(id % 50).unwrap(),
        tags: vec!["new".into()],
        seen: false,
    }
}

/// Creates tables in memory that contain these employees.
fn company(ids: impl IntoIterator<Item = u32>) -> Tables {
    let tables = Tables::in_memory().unwrap();
    let employees: Vec<Employee> = ids.into_iter().map(employee).collect();
    let report = run(tables.bulk().insert_all(&employees).run()).unwrap();
    assert_eq!(report.written(), employees.len());
    tables
}

/// Returns the ids of employees.
fn ids(employees: &[Stored<Employee>]) -> Vec<u32> {
    employees.iter().map(|employee| employee.id).collect()
}
