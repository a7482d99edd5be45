// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = blob))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
}

fn main() {}
