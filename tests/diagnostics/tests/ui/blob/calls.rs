// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    #[table(blob)]
    photo: Blob,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Aliased {
    department: String,
    id: u32,
    #[table(blob)]
    photo: Alias,
}

struct Alias(String);

fn main() {
    let _ = Employee::scan_partition("Sales").filter(|e| e.photo.eq("bytes"));
    let _ = Employee::patch("Sales", 1).photo(Blob::new("bytes"));
}
