//! P1, the index in the partition of the entity: a row of each employee with the e-mail address as key, and one with
//! the name, written in the transaction of the employee.
//!
//! Run `cargo run --example intra_partition_index`, or add `-- --data DIR` to read the employees in `DIR/employees_5k`.

use std::collections::HashMap;

use table_examples::{Outcome, csv_set, data_folder, made_up, screen::grouped};
use table_patterns::prelude::*;

/// An employee, found by number, by e-mail address and by name.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_name, row = "name_{last_name:esc}_{id:06}", copy(first_name)))]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
    last_name: String,
    email: String,
    hired: Date,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let employees = people()?;
    println!("{}", tables.describe::<Employee>());
    let report = tables.bulk().insert_all(&employees).run().await?;
    println!(
        "{} employees are {} rows, in {} transactions",
        grouped(employees.len()),
        grouped(3 * employees.len()),
        grouped(report.groups.len())
    );
    report.into_result()?;
    let one = employees.get(employees.len() / 2).ok_or("there are employees")?;
    let (department, email) = (&one.department, &one.email);

    println!("\nby e-mail address, a point query on the other key:");
    let by_email = Employee::by_email(department, email);
    println!("  {}", by_email.explain()?);
    let mut found = by_email.get(&tables).await?.ok_or("the address is there")?;
    println!("  {} {}, number {}, since {}", found.first_name, found.last_name, found.id, found.hired);

    println!("addresses from a to c, a range in their order:");
    let range = Employee::by_email_rows(department).between("a".."c");
    println!("  {}", range.explain()?);
    let report = range.report(&tables).await?;
    for employee in report.items.iter().take(3) {
        println!("  {}", employee.email);
    }
    println!("  {}", report.stats);

    println!("by name, rows that hold no more than a list shows:");
    let named = Employee::by_name_rows(department).at(found.last_name.as_str()).all(&tables).await?;
    for row in named.iter().take(3) {
        println!("  {}, {} ({})", row.last_name, row.first_name, row.id);
    }

    println!(
        "\na new address: the entity changes, one row goes, one comes, one is written again; one transaction:"
    );
    let new = format!("new.{}", found.email);
    found.email.clone_from(&new);
    tables.replace(&found).await?;
    assert!(by_email.get(&tables).await?.is_none());
    let moved = Employee::by_email(department, &new).get(&tables).await?.ok_or("the new address is there")?;
    println!("  {email} is gone, {} finds number {}", moved.email, moved.id);

    println!("an address that somebody has:");
    let twin = Employee { id: 999_999, ..moved.into_inner() };
    let error = tables.insert(&twin).await.err().ok_or("an address is given once")?;
    println!("  {error}");
    assert!(matches!(error, Error::Unique(_)));
    Ok(())
}

/// Returns the employees of a company, with unique e-mail addresses.
fn people() -> Outcome<Vec<Employee>> {
    let company = match data_folder("intra_partition_index")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(400),
    };
    let mut seen: HashMap<String, u32> = HashMap::new();
    let people = company.employees.into_iter().map(|person| {
        let name = format!("{}.{}", person.first_name, person.last_name).to_lowercase().replace(' ', "");
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        let number = if *count > 1 { count.to_string() } else { String::new() };
        Employee {
            department: person.department,
            id: person.id,
            email: format!("{name}{number}@contoso.com"),
            first_name: person.first_name,
            last_name: person.last_name,
            hired: person.hired,
        }
    });
    Ok(people.collect())
}
