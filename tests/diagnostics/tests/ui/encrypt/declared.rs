// errors: 8
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(leavers, row = "left_{id:06}", when = gone))]
#[table(lookup(by_name, on = name, place = partition))]
struct Employee {
    department: String,
    #[table(encrypt)]
    id: u32,
    #[table(encrypt)]
    email: String,
    #[table(encrypt)]
    gone: bool,
    #[table(encrypt)]
    name: String,
    #[table(encrypt, series)]
    hours: [i32; 24],
    #[table(encrypt, skip)]
    seen: bool,
}

#[derive(TableEntity)]
#[table(name = "Wide", partition = "{user}", row = "{id:06}_{part:02}", wide = 200)]
struct Wide {
    user: String,
    id: u32,
    #[table(encrypt)]
    text: String,
}

fn main() {}
