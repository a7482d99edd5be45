// errors: 5
// All mistakes of a struct together, and no others: the rest of the crate still sees the entity.
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id}", colour = "red")]
struct Employee {
    department: String,
    id: u32,
    #[table(partition)]
    first_name: String,
    age: usize,
    last_name: String,
    #[table(rename = "last_name")]
    other_name: String,
}

fn uses(employee: &Employee) {
    let _ = Employee::point("Sales", 223);
    let _ = Employee::rows("Sales").between(100..=199);
    let _ = Employee::scan_partition("Sales").filter(|e| e.first_name.eq("Jo"));
    let _ = Employee::patch("Sales", 223).first_name("Jo".to_owned());
    let _: EmployeeKey = employee.key();
}

fn main() {}
