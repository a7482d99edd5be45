// errors: 8
// What cannot be read is one mistake, and hides no other: no word is missed that is there.
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees" partition = "{department}", row = "empid_{id:06}")]
struct NoComma {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = 5, partition = "{department}", row = "empid_{id:06}")]
struct NoText {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partiton = "{department}", row = "empid_{id:06}")]
struct Misspelt {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table]
struct NoList {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", methods(points = at, row = of))]
struct Inner {
    department: String,
    id: u32,
    #[table(max = -1)]
    name: String,
    #[table(skip = "always")]
    cached: u8,
}

fn main() {}
