//! P4, index entities: for each last name, a list of the employees with this name. The list is in the partition of the
//! employees and is updated in their transactions. It is stored as one row per member, or as one row that overflows.
//! The example then compares the three locations of lists: blobs, the same partition, another table.
//!
//! Run `cargo run --example index_entities`, or add `-- --data DIR` to read the employees in `DIR/employees_5k`.

use std::collections::BTreeMap;

use table_examples::{Outcome, csv_set, data_folder, made_up, screen::grouped};
use table_patterns::prelude::*;

/// An employee. Employees with the same last name form a list of rows, employees hired in the same year a list in one
/// row.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = partition, row = "lastname_{last_name:esc}"))]
#[table(lookup(by_year, on = year, ids = "EmployeeIDs", row = "year_{year:04}"))]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
    last_name: String,
    /// Year of hiring.
    year: u16,
}

/// With lists in blobs: option 1 of the guide.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "First", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = blob))]
struct InBlobs {
    department: String,
    id: u32,
    last_name: String,
}

/// With lists in the same partition: option 2.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Second", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, row = "lastname_{last_name:esc}"))]
struct InPartition {
    department: String,
    id: u32,
    last_name: String,
}

/// With lists in another table, one row per member: option 3.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Third", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = table, partition = "{last_name:esc}"))]
struct InTable {
    department: String,
    id: u32,
    last_name: String,
}

/// With one row for each list, as in the guide.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "ThirdList", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = table, partition = "{last_name:esc}", ids = "EmployeeDetails"))]
struct InOneRow {
    department: String,
    id: u32,
    last_name: String,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let employees = people()?;
    tables.bulk().insert_all(&employees).run().await?.into_result()?;
    let (department, last_name, most) = commonest(&employees).ok_or("there are employees")?;
    println!("{} employees; {most} in {department} are called {last_name}", grouped(employees.len()));

    println!("\nall of them: the list, then each by its key");
    let called = Employee::by_last_name(&department, &last_name);
    println!("  {}", called.explain()?);
    let report = called.report(&tables).await?;
    for employee in report.items.iter().take(5) {
        println!("  {:06}  {} {}", employee.id, employee.first_name, employee.last_name);
    }
    println!("  {}", report.stats);
    assert_eq!(report.items.len(), most);

    println!("\none of them takes another name: the entity and both lists, in one transaction");
    let one = report.items.first().ok_or("somebody is called so")?;
    let changed = tables
        .update(Employee::point(&department, one.id), |employee| employee.last_name = "Newman".into())
        .await?;
    let left = called.all(&tables).await?.len();
    let newmen = Employee::by_last_name(&department, "Newman").all(&tables).await?;
    println!(
        "  {} {} is in the list of {}; {left} are left",
        changed.first_name,
        changed.last_name,
        newmen.len()
    );
    assert_eq!(left, most - 1);

    println!("\nthe list of a year is one row, as other programs may expect it:");
    let year = one.year;
    let row = DynamicEntity::point("Employees", &department, format!("year_{year}"));
    let bag = row.get(&tables).await?.ok_or("the year has a list")?;
    let ids = bag.get::<String>("EmployeeIDs")?.unwrap_or_default();
    println!("  RowKey year_{year}, EmployeeIDs {}..", ids.chars().take(46).collect::<String>());

    println!("it outgrows the row, and goes on in rows of its own:");
    let many: Vec<Employee> = (0..1_500)
        .map(|number| Employee {
            department: department.clone(),
            id: 900_000 + number,
            first_name: "Temp".into(),
            last_name: "Orary".into(),
            year: 2030,
        })
        .collect();
    tables.bulk().insert_all(&many).run().await?.into_result()?;
    let hired = Employee::by_year(&department, 2030);
    let report = hired.report(&tables).await?;
    let own = DynamicEntity::point("Employees", &department, "year_2030").get(&tables).await?;
    let own = own.ok_or("the year has a list")?.get::<String>("EmployeeIDs")?.unwrap_or_default();
    println!("  {} members, {} of them in the row", report.items.len(), own.split(',').count());
    println!("  {}", report.stats);
    assert_eq!(report.items.len(), 1_500);

    println!("page by page, with a cursor that can be stored:");
    let page = hired.clone().page_size(500).page(&tables).await?;
    let cursor = page.cursor.ok_or("there is more")?;
    let rest = hired.resume(cursor.to_string().parse()?).all(&tables).await?;
    println!("  {} and {}", page.items.len(), rest.len());
    places(&employees).await
}

/// Compares the three locations.
async fn places(employees: &[Employee]) -> Outcome {
    let tables = Tables::in_memory()?;
    let (department, last_name, _) = commonest(employees).ok_or("there are employees")?;
    let everywhere = employees.iter().filter(|employee| employee.last_name == last_name).count();
    println!("\nthe three places of lists; {everywhere} in the whole company are called {last_name}:");
    macro_rules! fill {
        ($kind:ident) => {{
            let all: Vec<$kind> = employees
                .iter()
                .map(|one| $kind {
                    department: one.department.clone(),
                    id: one.id,
                    last_name: one.last_name.clone(),
                })
                .collect();
            tables.bulk().insert_all(&all).run().await?.into_result()?;
        }};
    }
    fill!(InBlobs);
    fill!(InPartition);
    fill!(InTable);
    fill!(InOneRow);

    println!("  {:<31} {:>7} {:>8} {:>8}  stored", "", "insert", "look up", "members");
    let blobs = InBlobs::by_last_name(&last_name).report(&tables).await?;
    line(
        "1  blob",
        "1 + 4",
        (blobs.stats.requests, blobs.items.len()),
        "a line of JSON for each member, in First's container",
    );
    let near = InPartition::by_last_name(&department, &last_name).report(&tables).await?;
    let what = format!("rows beside the entities, of {department} only");
    line("2  the partition", "1", (near.stats.requests, near.items.len()), &what);
    let far = InTable::by_last_name(&last_name).report(&tables).await?;
    line(
        "3  table, a row for each member",
        "1 + 5",
        (far.stats.requests, far.items.len()),
        "rows of ThirdByLastName",
    );
    let list = InOneRow::by_last_name(&last_name).report(&tables).await?;
    line(
        "3  table, one row for each list",
        "1 + 4",
        (list.stats.requests, list.items.len()),
        "EmployeeDetails of ThirdListByLastName",
    );
    assert_eq!((blobs.items.len(), far.items.len(), list.items.len()), (everywhere, everywhere, everywhere));
    println!("\n  where a list is, without asking a store:");
    println!("  {}", InBlobs::by_last_name(&last_name).explain()?.to_string().replace('\n', "\n  "));
    println!("  the 4 or 5 requests that follow an insert may be left to others:");
    let newcomer = InTable { department, id: 999_999, last_name: last_name.clone() };
    let written = tables.with_deferred_updates().insert(&newcomer).await?;
    let early = InTable::by_last_name(&last_name).all(&tables).await?.len();
    let asked = InTable::by_last_name(&last_name).after(&written).all(&tables).await?.len();
    println!("  a reader finds {early} before that was followed, and {asked} by asking to see the write");
    assert_eq!((early, asked), (everywhere, everywhere + 1));
    Ok(())
}

fn line(place: &str, insert: &str, (requests, members): (u64, usize), stored: &str) {
    println!("  {place:<31} {insert:>7} {requests:>8} {members:>8}  {stored}");
}

/// Returns the most frequent last name of a department, and its frequency.
fn commonest(employees: &[Employee]) -> Option<(String, String, usize)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for employee in employees {
        *counts.entry((&employee.department, &employee.last_name)).or_default() += 1;
    }
    let ((department, last_name), count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    Some((department.to_owned(), last_name.to_owned(), count))
}

fn people() -> Outcome<Vec<Employee>> {
    let company = match data_folder("index_entities")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(400),
    };
    let people = company.employees.into_iter().map(|person| {
        Ok::<_, Box<dyn std::error::Error>>(Employee {
            department: person.department,
            id: person.id,
            first_name: person.first_name,
            last_name: person.last_name,
            year: u16::try_from(person.hired.year())?,
        })
    });
    people.collect()
}
