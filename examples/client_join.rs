//! R3, a client-side join: small sets that rarely change are read once and kept, so a join costs no further request.
//!
//! Run `cargo run --example client_join`.

use std::collections::HashMap;

use table_examples::{
    Outcome,
    company::{Department, Employee},
    made_up,
};
use table_patterns::prelude::*;

/// The departments by code. A program reads them again after some minutes, or when it misses one.
struct Departments(HashMap<String, String>);

impl Departments {
    async fn read(tables: &Tables) -> Outcome<Self> {
        let all = Department::scan_table().all(tables).await?;
        Ok(Self(all.into_iter().map(|one| (one.code.clone(), one.name.clone())).collect()))
    }

    fn name<'n>(&'n self, code: &'n str) -> &'n str {
        // A department that was added later.
        self.0.get(code).map_or(code, String::as_str)
    }
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let company = made_up::company(30);
    for department in &company.departments {
        tables.insert(department).await?;
    }
    for employee in &company.employees {
        tables.insert(employee).await?;
    }

    let departments = Departments::read(&tables).await?;
    let Some(first) = company.departments.first() else { return Ok(()) };
    let employees = Employee::rows(&first.code).take(5).all(&tables).await?;
    for employee in &employees {
        println!(
            "{} {}, {}",
            employee.first_name,
            employee.last_name,
            departments.name(&employee.department)
        );
    }
    println!("one request for {} employees, none for their department", employees.len());
    assert_eq!(departments.name(&first.code), first.name);
    Ok(())
}
