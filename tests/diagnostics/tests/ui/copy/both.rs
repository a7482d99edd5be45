// errors: 5
use table_patterns::prelude::*;

#[derive(Projection)]
#[table(of = Employee)]
struct Manager {
    id: u32,
    email: String,
}

#[derive(Projection)]
#[table(of = Other)]
struct OfAnother {
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "department")]
struct Department {
    department: String,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    manager: Option<Manager>,
    #[table(from_source)]
    other: Option<OfAnother>,
}

#[derive(TableEntity)]
#[table(name = "Floors", partition = "{floor:02}", row = "floor")]
struct Floor {
    floor: u8,
    #[table(from_source)]
    manager: Option<Manager>,
}

#[derive(TableEntity)]
#[table(name = "Others", partition = "{department}", row = "o_{id:06}")]
struct Other {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(copied_to(Department::managr))]
#[table(copied_to(Department::employees))]
#[table(copied_to(Department::other))]
#[table(copied_to(Floor::manager))]
struct Employee {
    department: String,
    id: u32,
    email: String,
}

fn main() {
    let _ = |manager| Department::patch("Sales").manager(manager);
}
