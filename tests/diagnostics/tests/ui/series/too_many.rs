// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}")]
struct Yearly {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

const DAYS: usize = 365;

#[derive(TableEntity)]
#[table(name = "Counted", partition = "{employee}", row = "{year:04}")]
struct Counted {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; DAYS],
}

fn main() {}
