// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_badge, row = "badge_{badge:06}", unique, copy(id)))]
#[table(lookup(by_last_name, on = last_name))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    email: String,
    badge: u32,
    age: i32,
}

fn changes(stored: &Stored<Employee>, copied: &table_patterns::IndexRow<EmployeeByBadge>) {
    let _ = Employee::patch("Sales", 223).age(35);
    let _ = stored.patch().email("j@contoso.com".into());
    let _ = stored.patch().last_name("Smith".into());
    let _ = copied.etag();
    let _ = stored.patch().age(35);
}

fn main() {}
