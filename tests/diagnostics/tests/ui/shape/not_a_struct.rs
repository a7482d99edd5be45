// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "a", row = "b")]
struct Tuple(String);

#[derive(TableEntity)]
#[table(name = "Employees", partition = "a", row = "b")]
struct Unit;

#[derive(TableEntity)]
enum Person {
    Employee,
}

#[derive(TableEntity)]
union Bits {
    whole: u32,
}

fn main() {}
