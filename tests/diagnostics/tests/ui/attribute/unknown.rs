// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", partiton = "{id}")]
struct Near {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", colour = "red")]
struct Far {
    department: String,
    id: u32,
    #[table(deflaut)]
    name: String,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", deny(table_scans))]
struct Inner {
    department: String,
    id: u32,
}

fn main() {}
