// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}")]
struct NoRow {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(row = "{id:06}")]
struct RowOnly {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
struct Nothing {
    department: String,
    id: u32,
}

fn main() {}
