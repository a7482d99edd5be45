// errors: 6
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:6}")]
struct Spaces {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{source}", row = "{at:tics}")]
struct Unknown {
    source: String,
    at: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{source}", row = "{at:%d%m%Y}")]
struct DateOrder {
    source: String,
    at: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "a/{source}", row = "{id:06}")]
struct Forbidden {
    source: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{source", row = "}{id:06}")]
struct Braces {
    source: String,
    id: u32,
}

fn main() {}
