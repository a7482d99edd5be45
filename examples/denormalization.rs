//! P5, denormalization: the row of a department contains a copy of properties of its manager, so one point query reads
//! both. The leadership is in the partition of the department, and the copy changes with it. The company directory is
//! in another partition and is updated later.
//!
//! Run `cargo run --release --example denormalization`, or add `-- --data DIR` to read the employees in
//! `DIR/employees_5k`.

use std::{collections::HashMap, time::Instant};

use table_examples::{
    Outcome, company, csv_set, data_folder, made_up,
    screen::{Screen, grouped, took},
};
use table_patterns::prelude::*;

/// Properties of the current leadership that are copied into the department.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Leadership)]
struct Manager {
    employee: u32,
    name: String,
    from: Date,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "department")]
#[expect(clippy::struct_field_names, reason = "a key is often named as its entity")]
struct Department {
    department: String,
    name: String,
    #[table(from_source)]
    manager: Option<Manager>,
}

/// A period in which an employee led a department.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "led_{from:%Y%m%d}_{employee:06}")]
#[table(copied_to(Department::manager, when = lasts))]
struct Leadership {
    department: String,
    from: Date,
    employee: u32,
    name: String,
    to: Option<Date>,
}

impl Leadership {
    const fn lasts(&self) -> bool {
        self.to.is_none()
    }
}

/// Properties of an employee that are copied into the directory.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Employee)]
struct Head {
    id: u32,
    first_name: String,
    last_name: String,
    department: String,
}

/// An entry of the company directory: an employee who leads a department, in any partition.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Directory", partition = "company", row = "{leads}", allow(append_only))]
struct Line {
    leads: String,
    name: String,
    #[table(from_source)]
    head: Option<Head>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
#[table(copied_to(Line::head))]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
    last_name: String,
    born: Date,
    /// An employee who leads no department has no directory entry.
    leads: Option<String>,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let company = match data_folder("denormalization")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(600),
    };
    let tables = Tables::in_memory()?;
    let mut screen = Screen::new();
    screen.title("Denormalisation");

    screen.section("Departments and who leads them: one row each");
    // Updates of the directory are deferred to workers, here to the call of `catch_up` below.
    let writer = tables.with_deferred_updates();
    hire(&writer, &company).await?;
    show_departments(&tables, &mut screen, &company).await?;

    screen.section("What it saves");
    let code = &company.departments.first().ok_or("there is a department")?.code;
    let start = Instant::now();
    let department = Department::point(code).get(&tables).await?.ok_or("the department has a row")?;
    let one = start.elapsed();
    let start = Instant::now();
    let led = Leadership::rows(code).all(&tables).await?;
    let lasting = led.iter().find(|led| led.lasts()).ok_or("somebody leads")?;
    let two = start.elapsed();
    let manager = department.manager.as_ref().ok_or("somebody leads")?;
    assert_eq!((manager.employee, manager.from), (lasting.employee, lasting.from));
    screen.say(format!(
        "{code} is led by {}: read with the department in {}; a second query takes another {}",
        manager.name,
        took(one),
        took(two)
    ));

    screen.section("Another takes over");
    let today = Date::new(2002, 8, 1).ok_or("a day")?;
    let mut colleagues = Employee::rows(code).take(2).all(&tables).await?.into_iter();
    let is_other = |employee: &Stored<Employee>| employee.id != lasting.employee;
    let mut follower = colleagues.find(is_other).ok_or("somebody else works there")?;
    follower.leads = Some(code.clone());
    let mut ended = lasting.clone();
    ended.to = Some(today);
    let begun = Leadership {
        department: code.clone(),
        from: today,
        employee: follower.id,
        name: format!("{} {}", follower.first_name, follower.last_name),
        to: None,
    };
    writer.transact().replace(&ended).insert(&begun).replace(&follower).commit().await?;
    // The previous manager may belong to another department, and therefore to another partition.
    let led = company.employees.iter().find(|employee| employee.id == lasting.employee);
    let led = led.ok_or("who leads works somewhere")?;
    writer.update(Employee::point(&led.department, led.id), |led| led.leads = None).await?;
    let department = Department::point(code).get(&tables).await?.ok_or("the department has a row")?;
    let manager = department.manager.as_ref().ok_or("somebody leads")?;
    assert_eq!((manager.employee, manager.from), (follower.id, today));
    screen.say(format!(
        "{} until {today}, then {}: one transaction of both leaderships and the department",
        lasting.name, manager.name
    ));

    screen.section("The directory: another table, which follows");
    let behind = tables.lag().await?.pending.unwrap_or_default();
    let start = Instant::now();
    let pass = tables.catch_up().await?;
    screen.say(format!(
        "{behind} commits were to be followed: {} in {}",
        grouped(pass.followed),
        took(start.elapsed())
    ));
    show_directory(&tables, &mut screen).await?;

    screen.section("A head has a new name");
    let lines = Line::rows().all(&tables).await?;
    let head = lines.iter().find_map(|line| line.head.clone()).ok_or("somebody leads")?;
    let stored = Employee::point(&head.department, head.id).get(&tables).await?.ok_or("that one is there")?;
    let start = Instant::now();
    tables.merge(stored.patch().last_name("Lovelace".to_owned())).await?;
    let lines = Line::rows().all(&tables).await?;
    let shown = lines.iter().filter_map(|line| line.head.as_ref()).find(|shown| shown.id == head.id);
    assert_eq!(shown.map(|shown| shown.last_name.as_str()), Some("Lovelace"));
    screen.say(format!(
        "{} {} is {} Lovelace in the directory, too, after {}",
        head.first_name,
        head.last_name,
        head.first_name,
        took(start.elapsed())
    ));
    let (near, far) = (tables.verify::<Leadership>().run().await?, tables.verify::<Employee>().run().await?);
    screen.say(format!("verify leaderships: {near}"));
    screen.say(format!("verify employees: {far}"));
    assert!(near.is_clean() && far.is_clean());
    Ok(())
}

/// Stores the company: departments, employees and managers.
async fn hire(tables: &Tables, company: &company::Company) -> Outcome {
    let people: HashMap<u32, &company::Employee> =
        company.employees.iter().map(|employee| (employee.id, employee)).collect();
    let leads: HashMap<u32, &str> = company
        .leaderships
        .iter()
        .filter(|led| led.to.is_none())
        .map(|led| (led.employee, led.department.as_str()))
        .collect();
    for department in &company.departments {
        let (code, name) = (department.code.clone(), department.name.clone());
        tables.insert(&Department { department: code.clone(), name: name.clone(), manager: None }).await?;
        tables.insert(&Line { leads: code, name, head: None }).await?;
    }
    let employees: Vec<Employee> = company
        .employees
        .iter()
        .map(|employee| Employee {
            department: employee.department.clone(),
            id: employee.id,
            first_name: employee.first_name.clone(),
            last_name: employee.last_name.clone(),
            born: employee.born,
            leads: leads.get(&employee.id).map(|code| (*code).to_owned()),
        })
        .collect();
    let name = |id: &u32| {
        people.get(id).map(|found| format!("{} {}", found.first_name, found.last_name)).unwrap_or_default()
    };
    let led: Vec<Leadership> = company
        .leaderships
        .iter()
        .map(|led| Leadership {
            department: led.department.clone(),
            from: led.from,
            employee: led.employee,
            name: name(&led.employee),
            to: led.to,
        })
        .collect();
    tables.bulk().insert_all(&employees).insert_all(&led).run().await?.into_result()?;
    Ok(())
}

/// Shows each department with its manager, read by a point query, and checks that the manager is correct.
async fn show_departments(tables: &Tables, screen: &mut Screen, company: &company::Company) -> Outcome {
    let mut rows = Vec::new();
    for department in &company.departments {
        let found = Department::point(&department.code).get(tables).await?.ok_or("it was inserted")?;
        let leads =
            company.leaderships.iter().find(|led| led.to.is_none() && led.department == department.code);
        assert_eq!(found.manager.as_ref().map(|manager| manager.employee), leads.map(|led| led.employee));
        let (name, since) = found.manager.as_ref().map_or_else(
            || ("nobody".to_owned(), String::new()),
            |manager| (manager.name.clone(), manager.from.to_string()),
        );
        rows.push(vec![found.department.clone(), found.name.clone(), name, since]);
    }
    screen.table(&["", "department", "led by", "since"], rows);
    Ok(())
}

/// Shows the directory, read by one range query.
async fn show_directory(tables: &Tables, screen: &mut Screen) -> Outcome {
    let lines = Line::rows().all(tables).await?;
    let rows = lines.iter().map(|line| {
        let head = line.head.as_ref();
        vec![
            line.name.clone(),
            head.map(|head| format!("{} {}", head.first_name, head.last_name)).unwrap_or_default(),
            head.map(|head| head.department.clone()).unwrap_or_default(),
        ]
    });
    screen.table(&["department", "head", "who belongs to"], rows);
    Ok(())
}
