// errors: 8
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", deny(table_scan))]
struct Employee {
    department: String,
    id: u32,
    age: i32,
}

fn denied_scan() {
    let _ = Employee::scan_table();
}

fn prefix_of_a_number() {
    let _ = Employee::rows("Sales").starts_with("1");
}

fn filtered_range() {
    let _ = Employee::rows("Sales").filter(|e| e.age.gt(30));
}

fn not_an_entity(tables: &Tables) {
    let _ = tables.insert(&3);
}

fn key_field_in_a_patch() {
    let _ = Employee::patch("Sales", 223).department("HR".to_owned());
}

fn missing_argument() {
    let _ = Employee::point("Sales");
}

fn key_field_in_a_filter() {
    let _ = Employee::scan_partition("Sales").filter(|e| e.id.gt(30));
}

fn wrong_type() {
    let _ = Employee::scan_partition("Sales").filter(|e| e.age.gt("30"));
}

fn main() {}
