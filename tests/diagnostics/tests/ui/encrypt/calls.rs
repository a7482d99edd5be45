// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    #[table(encrypt)]
    national_id: String,
    #[table(encrypt, json)]
    notes: Vec<String>,
}

fn main() {
    let _ = Employee::scan_partition("Sales").filter(|e| e.national_id.eq("AB 12 34"));
    let _ = Employee::scan_partition("Sales").filter(|e| e.notes.eq("[]"));
}
