//! R2, one-to-one: an employee and the record of the payroll. With the same key, no link is stored. With a stored key, the
//! other entity can be anywhere.
//!
//! Run `cargo run --example one_to_one`.

use table_examples::Outcome;
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    name: String,
    /// The key of the car: a stored link. The car is in another partition.
    car: Option<String>,
}

/// Has the key of its employee, in a table that fewer programs can read.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Payroll", partition = "{department}", row = "empid_{id:06}")]
struct Pay {
    department: String,
    id: u32,
    salary: i64,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Cars", partition = "{plate}", row = "car")]
struct Car {
    plate: String,
    model: String,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let (department, plate) = ("Sales".to_owned(), "AB 1234".to_owned());
    tables.insert(&Car { plate: plate.clone(), model: "Model T".to_owned() }).await?;
    tables.insert(&Pay { department: department.clone(), id: 7, salary: 4_200 }).await?;
    let jo = Employee { department, id: 7, name: "Jo".to_owned(), car: Some(plate) };
    tables.insert(&jo).await?;

    // Implicit: the key of the other entity is computed, so both can be read at once.
    let pay = Pay::point(&jo.department, jo.id).get(&tables).await?.ok_or("it was inserted")?;
    println!("{} earns {}: one request, without a link", jo.name, pay.salary);

    // Explicit: the first entity must be read to know the key of the second one.
    let jo = Employee::point("Sales", 7).get(&tables).await?.ok_or("it was inserted")?;
    let car = match &jo.car {
        Some(plate) => Car::point(plate).get(&tables).await?,
        None => None,
    };
    let car = car.ok_or("nobody deleted it")?;
    println!("{} drives a {}: two requests, one after the other", jo.name, car.model);

    // No transaction contains both, so the order of the writes decides which reference can be dangling: none, if the
    // target is inserted first and deleted last.
    let plate = car.plate.clone();
    tables.update(Employee::point("Sales", 7), |employee| employee.car = None).await?;
    tables.delete(&car).await?;
    assert!(Car::point(&plate).get(&tables).await?.is_none());
    Ok(())
}
