// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct OnField {
    #[table(partition = "{department}")]
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", json)]
struct OnStruct {
    department: String,
    id: u32,
}

fn main() {}
