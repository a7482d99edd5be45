// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    email: String,
    #[table(encrypt)]
    salary: i64,
    #[table(json)]
    skills: Vec<String>,
    #[table(from_source)]
    reports: i64,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Manager {
    id: u32,
    email: String,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Paid {
    salary: i64,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Skilled {
    skills: Vec<String>,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Busy {
    reports: i64,
}

struct Nobody;

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct Encrypted {
    department: String,
    #[table(from_source)]
    manager: Option<Paid>,
}

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct NotOneProperty {
    department: String,
    #[table(from_source)]
    manager: Option<Skilled>,
}

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct PassedOn {
    department: String,
    #[table(from_source)]
    manager: Option<Busy>,
}

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct NoProjection {
    department: String,
    #[table(from_source)]
    manager: Option<Nobody>,
}

#[derive(TableEntity)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct OneNameTwice {
    department: String,
    manager_email: String,
    #[table(from_source)]
    manager: Option<Manager>,
}

fn main() {}
