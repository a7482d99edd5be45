//! R1, one-to-many in one partition: a department and its employees. One transaction adds an employee and increments
//! the count of the department, so the count is always correct.
//!
//! Run `cargo run --example relationships`.

use table_examples::{
    Outcome,
    company::{Department, Employee},
    made_up,
};
use table_patterns::prelude::*;

/// Any entity in the partition of a department.
#[derive(TableUnion)]
#[table(partition = "{code}", unknown = skip)]
enum Member {
    Department(Stored<Department>),
    Employee(Stored<Employee>),
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let company = made_up::company(60);
    let departments = company.departments.into_iter().map(|one| Department { employee_count: 0, ..one });
    for department in departments {
        tables.insert(&department).await?;
    }
    for employee in &company.employees {
        hire(&tables, employee).await?;
    }
    println!("sixty employees were hired, each in one transaction with the count of the department:");
    let departments = Department::scan_table().all(&tables).await?;
    for department in &departments {
        let code = &department.code;
        let employees = Employee::rows(code).all(&tables).await?.len();
        println!(
            "  {code}  {:<20} counts {:>2}, has {employees:>2}",
            department.name, department.employee_count
        );
        assert_eq!(usize::try_from(department.employee_count)?, employees);
    }

    println!(
        "\na lost race is no wrong count: who read the department before somebody else was hired is refused"
    );
    let code = &departments.first().ok_or("there is a department")?.code;
    let seen = Department::point(code).get(&tables).await?.ok_or("the department is there")?;
    let somebody = company.employees.first().ok_or("there are employees")?;
    let [one, other] = [1, 2].map(|id| Employee { department: code.clone(), id, ..somebody.clone() });
    hire(&tables, &one).await?;
    let late = tables.transact().insert(&other).merge(seen.patch().employee_count(seen.employee_count + 1));
    let error = late.commit().await.err().ok_or("somebody was faster")?;
    println!("  {error}");
    assert!(Employee::point(code, 2).get(&tables).await?.is_none());

    println!("\none range reads the department and its employees, as an enum:");
    let members = Member::rows(code).take(4).all(&tables).await?;
    for member in &members {
        match member {
            Member::Department(department) => println!("  {}", department.name),
            Member::Employee(employee) => println!("  {} {}", employee.first_name, employee.last_name),
        }
    }
    Ok(())
}

/// Hires an employee. Retries if another employee was hired concurrently.
async fn hire(tables: &Tables, employee: &Employee) -> Outcome {
    loop {
        let department = Department::point(&employee.department).get(tables).await?;
        let department = department.ok_or("the department is there")?;
        let raised = department.patch().employee_count(department.employee_count + 1);
        match tables.transact().insert(employee).merge(raised).commit().await {
            Err(error) if error.code() == Some(ErrorCode::UpdateConditionNotSatisfied) => {}
            other => return other.map(drop).map_err(Into::into),
        }
    }
}
