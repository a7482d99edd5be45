// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    #[table(skip)]
    id: u32,
    #[table(skip, json)]
    cache: Vec<u8>,
    #[table(store)]
    name: String,
}

fn main() {}
