// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Generic<T> {
    department: String,
    id: u32,
    value: T,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Borrowed<'a> {
    department: &'a str,
    id: u32,
}

fn main() {}
