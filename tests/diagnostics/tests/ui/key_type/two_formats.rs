// errors: 1
use table_patterns::prelude::*;

type Id = u32;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{id}", row = "empid_{id:06}")]
struct Employee {
    id: Id,
}

fn main() {}
