// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    age: i32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Absent {
    agge: i32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct OtherType {
    age: i64,
}

#[derive(Projection)]
struct OfNothing {
    age: i32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Words {
    #[table(rename = "Age")]
    age: i32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Tuple(i32);

fn main() {}
