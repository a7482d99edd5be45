// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Manager {
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct Department {
    department: String,
    #[table(from_source)]
    manager: Manager,
}

fn main() {}
