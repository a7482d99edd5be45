// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity, serde::Serialize, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    #[table(encrypt)]
    salary: i64,
}

fn body(employee: &Stored<Employee>) -> impl serde::Serialize {
    employee
}

fn main() {}
