// errors: 6
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", borrowed)]
struct Employee {
    department: String,
    id: u32,
    #[table(encrypt)]
    salary: i64,
    #[table(json)]
    tags: Vec<String>,
    #[table(series)]
    hours: [i32; 24],
    #[table(blob)]
    photo: Blob,
}

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 200, borrowed)]
struct Yearly {
    employee: String,
    year: u16,
    count: i32,
}

#[derive(TableEntity)]
#[table(name = "Rooms", partition = "{house}", row = "{number:04}", names(borrowed = RoomView))]
struct Room {
    house: String,
    number: u32,
}

fn main() {
    let _ = |tables: &Tables| Employee::rows("Sales").for_each(tables, |employee| drop(employee.id));
}
