// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "r_{budget:ord}_{employees:ord}")]
#[table(index(by_budget, row = "b_{budget:ord}", unique))]
struct Department {
    department: String,
    budget: i64,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    oldest: i32,
    #[table(from_source, json)]
    names: Option<String>,
}

fn main() {}
