// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "department")]
struct Department {
    department: String,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    oldest: Option<i64>,
    unmarked: i64,
}

#[derive(TableEntity)]
#[table(name = "Floors", partition = "{floor:02}", row = "floor")]
struct Floor {
    floor: u8,
    #[table(from_source)]
    employees: i64,
}

#[derive(TableEntity)]
#[table(name = "Plain", partition = "{department}", row = "plain")]
struct Plain {
    department: String,
    employees: i64,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(Department::employees), max_in(Department::oldest, of = age))]
struct OfAnotherType {
    department: String,
    id: u32,
    age: i32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(Department::unmarked))]
struct NotMarked {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", counted_in(Floor::employees))]
struct NoKey {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", counted_in(Plain::employees))]
struct NoSink {
    department: String,
    id: u32,
}

fn main() {
    let _ = Department::patch("Sales").employees(5);
}
