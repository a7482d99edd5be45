// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    count: usize,
    offset: Option<isize>,
    balance: i128,
}

fn main() {}
