// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = blob))]
#[table(index(by_email, partition = "email_{email}", row = "email", unique))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    last_name: String,
}

fn main() {}
