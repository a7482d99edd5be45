//! Several entity types in one table and one partition (R4, `G-HET`). They are read as an enum, as one type, as untyped
//! entities, and by a closure; and changed without their type.
//!
//! Run `cargo run --release --example entity_types`, or add `-- --data DIR` to read the CSV files of the employees.

use table_examples::{
    Outcome,
    company::{Assignment, Department, Employee, Leadership},
    csv_set, data_folder, made_up,
    screen::{Screen, grouped},
};
use table_patterns::prelude::*;

/// Any entity in the partition of a department.
#[derive(TableUnion, Debug)]
#[table(partition = "{department}", unknown = keep)]
enum Member {
    Department(Stored<Department>),
    Employee(Stored<Employee>),
    Assignment(Stored<Assignment>),
    Leadership(Stored<Leadership>),
    #[table(other)]
    Other(Stored<DynamicEntity>),
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let company = match data_folder("entity_types")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(500),
    };
    let tables = Tables::in_memory()?;
    let bulk = tables.bulk().insert_all(&company.departments).insert_all(&company.employees);
    let bulk = bulk.insert_all(&company.assignments).insert_all(&company.leaderships);
    let written = bulk.run().await?.into_result()?;
    let Some(code) = company.departments.first().map(|department| department.code.as_str()) else {
        return Err("a company has departments".into());
    };
    screen.title("Several kinds in one table");
    screen.say(format_args!(
        "{} entities of four kinds, in one partition for each department",
        grouped(written)
    ));

    screen.section("One partition, as an enum");
    let mut visitor = DynamicEntity::new("Company", code, "visitor_1")?;
    visitor.set("EntityType", "Visitor");
    visitor.set("Name", "Somebody");
    tables.insert(&visitor).await?;
    let query = Member::rows(code);
    screen.code(query.explain()?);
    let (mut employees, mut first, mut still_here, mut leader) = (0, None, 0, None);
    for member in query.all(&tables).await? {
        match member {
            Member::Department(department) => {
                screen.say(format_args!(
                    "the department {}: {} people",
                    department.name, department.employee_count
                ));
            }
            Member::Employee(employee) => {
                employees += 1;
                first = first.into_iter().chain([employee.hired]).min();
            }
            Member::Assignment(assignment) => still_here += usize::from(assignment.to.is_none()),
            // Rows are in key order, and therefore in chronological order.
            Member::Leadership(leadership) => leader = Some(leadership.employee),
            Member::Other(row) => {
                let kind = row.entity_type().unwrap_or("none");
                screen.say(format_args!("{}, of the type {kind}: kept as a bag", row.row_key()));
            }
        }
    }
    let first = first.map_or_else(String::new, |day: Date| format!(", the first of them hired on {day}"));
    screen.say(format_args!("{employees} employees{first}; {still_here} assignments that last"));
    if let Some(leader) = leader {
        screen.say(format_args!("led last by employee {leader}"));
    }
    assert_eq!(employees, company.employees.iter().filter(|employee| employee.department == code).count());

    screen.section("The same rows, as one kind: a range of its own");
    let query = Employee::rows(code);
    screen.code(query.explain()?);
    let report = query.report(&tables).await?;
    screen.say(format_args!("{} rows read, {} returned", report.stats.read, report.stats.returned));
    assert_eq!((report.stats.read, report.stats.returned), (employees as u64, employees as u64));

    screen.section("By a closure that looks at each row");
    let born = query.take(3).resolve(|row| {
        let name = row.get::<String>("last_name").ok().flatten().unwrap_or_default();
        (name, row.get::<Date>("born").ok().flatten().map_or_else(String::new, |day| day.to_string()))
    });
    for (name, born) in born.all(&tables).await? {
        screen.say(format_args!("{name}, born on {born}"));
    }

    screen.section("A count raised by code that does not know the type");
    let point = DynamicEntity::point("Company", code, "department");
    let mut bag = point.get(&tables).await?.ok_or("the department is there")?;
    let count = bag.get::<i32>("employee_count")?.ok_or("it has a count")?;
    bag.set("employee_count", count + 1);
    tables.merge(bag.changes()).await?;
    let department = Department::point(code).get(&tables).await?.ok_or("the department is there")?;
    screen.say(format_args!("{count} before, {} now: a merge of one property", department.employee_count));
    assert_eq!(department.employee_count, count + 1);
    Ok(())
}
