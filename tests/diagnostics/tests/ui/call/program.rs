// errors: 3
use serde::{Deserialize, Serialize};
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    age: i32,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "letters")]
struct Letter {
    to: String,
}

struct Refused;

fn missing_state(tables: &Tables) {
    let _ = tables.worker().on_with::<Letter>();
}

fn entity_that_was_not_read(tables: &Tables, employee: Employee) {
    let _ = tables.delete(&employee);
}

fn error_without_from(tables: &Tables) {
    let _ = tables.try_update(Employee::point("Sales", 1), |_employee| Err(Refused));
}

fn main() {}
