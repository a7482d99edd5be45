// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{departmnt}", row = "empid_{id:06}_{colour}")]
struct Employee {
    department: String,
    id: u32,
}

fn main() {}
