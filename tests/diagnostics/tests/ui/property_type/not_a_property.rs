// errors: 2
use table_patterns::prelude::*;

struct Inner;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    nicknames: Vec<String>,
    inner: Inner,
}

fn main() {}
