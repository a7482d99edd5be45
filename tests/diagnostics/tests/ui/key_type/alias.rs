// errors: 1
use table_patterns::prelude::*;

type EmployeeId = u32;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id}")]
struct Employee {
    department: String,
    id: EmployeeId,
    age: i32,
}

fn main() {}
