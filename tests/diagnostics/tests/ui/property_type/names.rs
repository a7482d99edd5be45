// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", rename_all = "PascalCase")]
struct Employee {
    department: String,
    id: u32,
    timestamp: i64,
    #[table(rename = "_version")]
    version: i32,
    first: String,
    #[table(rename = "First")]
    other: String,
    #[table(rename = "two words")]
    words: String,
}

fn main() {}
