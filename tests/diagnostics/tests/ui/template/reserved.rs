// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "!{id:06}")]
struct Row {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "1Employees", partition = "{department}", row = "{id:06}")]
struct TableName {
    department: String,
    id: u32,
}

fn main() {}
