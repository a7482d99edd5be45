//! P14, the materialized view: aggregates over all employees of a department, and over all employees hired in a year,
//! are one row each. The row of a department is in the partition of its employees and changes with them. The row of a
//! year is in another partition and is updated later.
//!
//! Run `cargo run --release --example materialized_view`, or add `-- --data DIR` to read the employees in
//! `DIR/employees_5k`.

use std::{collections::BTreeMap, time::Instant};

use table_examples::{
    Outcome, company, csv_set, data_folder, made_up,
    screen::{Screen, grouped, took},
};
use table_patterns::prelude::*;

/// Aggregates over all employees of a department.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "summary")]
struct Summary {
    department: String,
    name: String,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    women: i64,
    #[table(from_source)]
    birth_years: i64,
    #[table(from_source)]
    oldest: Option<Date>,
}

/// Aggregates over all employees hired in a year.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Years", partition = "{hired_in:04}", row = "hired")]
struct Year {
    hired_in: u16,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    youngest: Option<Date>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(Summary::employees), counted_in(Summary::women, when = is_woman))]
#[table(summed_in(Summary::birth_years, of = born_in), min_in(Summary::oldest, of = born))]
#[table(counted_in(Year::employees), max_in(Year::youngest, of = born))]
struct Employee {
    department: String,
    id: u32,
    name: String,
    born: Date,
    born_in: i32,
    is_woman: bool,
    hired_in: u16,
}

impl From<&company::Employee> for Employee {
    fn from(employee: &company::Employee) -> Self {
        Self {
            department: employee.department.clone(),
            id: employee.id,
            name: format!("{} {}", employee.first_name, employee.last_name),
            born: employee.born,
            born_in: employee.born.year(),
            is_woman: employee.gender == company::Gender::F,
            hired_in: u16::try_from(employee.hired.year()).unwrap_or_default(),
        }
    }
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let company = match data_folder("materialized_view")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(600),
    };
    let employees: Vec<Employee> = company.employees.iter().map(Employee::from).collect();
    let tables = Tables::in_memory()?;
    let mut screen = Screen::new();
    screen.title("Materialised views");

    screen.section("Departments: one partition, one transaction");
    for department in &company.departments {
        let (department, name) = (department.code.clone(), department.name.clone());
        let none = Summary { department, name, employees: 0, women: 0, birth_years: 0, oldest: None };
        tables.insert(&none).await?;
    }
    let hiring = Instant::now();
    // Updates of the years are deferred to workers, here to the call of `catch_up` below.
    let writer = tables.with_deferred_updates();
    writer.bulk().insert_all(&employees).run().await?.into_result()?;
    screen.say(format!(
        "{} employees were hired in {}, in transactions with their department's row:",
        grouped(employees.len()),
        took(hiring.elapsed())
    ));
    show_departments(&tables, &mut screen).await?;

    screen.section("What it saves");
    let code = &employees.first().ok_or("nobody works here")?.department;
    let start = Instant::now();
    let summary = Summary::point(code).get(&tables).await?.ok_or("the department has a row")?;
    let one = start.elapsed();
    let start = Instant::now();
    let all = Employee::rows(code).all(&tables).await?;
    let oldest = all.iter().map(|employee| employee.born).min();
    let each = start.elapsed();
    assert_eq!((usize::try_from(summary.employees)?, summary.oldest), (all.len(), oldest));
    screen.say(format!("one row tells in {} what takes {} from {} rows", took(one), took(each), all.len()));

    screen.section("The oldest leaves");
    let leaver =
        all.iter().min_by_key(|employee| (employee.born, employee.id)).ok_or("somebody is oldest")?;
    screen.say(format!("{}, born {}, of {code}", leaver.name, leaver.born));
    writer.delete(leaver).await?;
    let after = Summary::point(code).get(&tables).await?.ok_or("the department has a row")?;
    screen.say(format!(
        "then {} work there, and the oldest is born {}",
        after.employees,
        after.oldest.map_or_else(|| "never".to_owned(), |born| born.to_string())
    ));
    assert_eq!(after.employees + 1, summary.employees);

    screen.section("Years: other partitions, which follow");
    let behind = tables.lag().await?.pending.unwrap_or_default();
    let start = Instant::now();
    let pass = tables.catch_up().await?;
    screen.say(format!(
        "{behind} commits were to be followed: {} in {}",
        grouped(pass.followed),
        took(start.elapsed())
    ));
    show_years(&tables, &mut screen, &employees, leaver).await?;
    let report = tables.verify::<Employee>().run().await?;
    screen.say(format!("verify: {report}"));
    assert!(report.is_clean());
    Ok(())
}

async fn show_departments(tables: &Tables, screen: &mut Screen) -> Outcome {
    let summaries = Summary::scan_table().all(tables).await?;
    let rows = summaries.iter().filter(|summary| summary.employees > 0).map(|summary| {
        let oldest = summary.oldest.map(|born| born.to_string()).unwrap_or_default();
        vec![
            summary.name.clone(),
            summary.employees.to_string(),
            summary.women.to_string(),
            (summary.birth_years / summary.employees).to_string(),
            oldest,
        ]
    });
    screen.table(&["department", "employees", "women", "born on average", "oldest"], rows);
    Ok(())
}

/// Shows and checks the row of each year. No year entity was inserted: the row contains only aggregates.
async fn show_years(tables: &Tables, screen: &mut Screen, hired: &[Employee], leaver: &Employee) -> Outcome {
    let mut counted: BTreeMap<u16, (i64, Option<Date>)> = BTreeMap::new();
    for employee in hired.iter().filter(|employee| employee.id != leaver.id) {
        let (count, youngest) = counted.entry(employee.hired_in).or_default();
        *count += 1;
        *youngest = (*youngest).max(Some(employee.born));
    }
    let mut rows = Vec::new();
    for (hired_in, expected) in counted {
        assert!(Year::point(hired_in).get(tables).await?.is_none());
        tables.insert(&Year { hired_in, employees: 0, youngest: None }).await?;
        let year = Year::point(hired_in).get(tables).await?.ok_or("the year was inserted")?;
        assert_eq!((year.employees, year.youngest), expected);
        let youngest = year.youngest.map(|born| born.to_string()).unwrap_or_default();
        rows.push(vec![hired_in.to_string(), year.employees.to_string(), youngest]);
    }
    screen.table(&["hired in", "employees", "youngest of them, born"], rows.into_iter().take(6));
    Ok(())
}
