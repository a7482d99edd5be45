// errors: 7
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}", wide = 200)]
struct WithoutPart {
    employee: String,
    year: u16,
}

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{part:02}_{year:04}", wide = 300)]
struct PartFirst {
    employee: String,
    year: u16,
}

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}")]
struct WithoutWide {
    employee: String,
    year: u16,
}

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 2)]
struct TooManyParts {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "year_{year:04}_{part:02}", wide = 200)]
#[table(index(by_name, row = "name_{name}", unique), version = 2, from(WithoutPart))]
struct WithOthers {
    employee: String,
    year: u16,
    name: String,
}

fn main() {}
