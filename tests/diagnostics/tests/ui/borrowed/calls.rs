// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Robots", partition = "{hall}", row = "{id:06}", borrowed)]
struct Robot {
    hall: String,
    id: u32,
}

fn calls(tables: &Tables) {
    let _ = Employee::rows("Sales").for_each(tables, |employee| drop(employee));
}

fn main() {}
