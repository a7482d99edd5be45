// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "{first}{last}")]
struct SideBySide {
    department: String,
    first: String,
    last: String,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "{first}x{last}")]
struct NoPunctuation {
    department: String,
    first: String,
    last: String,
}

fn main() {}
