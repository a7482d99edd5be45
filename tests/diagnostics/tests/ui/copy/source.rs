// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(copied_to(manager))]
#[table(copied_to(Employee::manager))]
#[table(copied_to(Department::manager, of = email))]
#[table(copied_to(Department::deputy, when = rank))]
#[table(copied_to(Department::deputy))]
struct Employee {
    department: String,
    id: u32,
    rank: i32,
    email: String,
}

fn main() {}
