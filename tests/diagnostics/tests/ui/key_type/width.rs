// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id}")]
struct Unsigned {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id}")]
struct Signed {
    department: String,
    id: i32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{source}", row = "{at}")]
struct Time {
    source: String,
    at: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Samples", partition = "{source}", row = "{level}")]
struct Float {
    source: String,
    level: f64,
}

fn main() {}
