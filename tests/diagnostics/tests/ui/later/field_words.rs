// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    #[table(as = text)]
    balance: i64,
}

fn main() {}
