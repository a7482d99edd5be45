// errors: 9
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(employees))]
#[table(counted_in(Employee::others))]
#[table(summed_in(Department::ages))]
#[table(counted_in(Department::employees, of = age))]
#[table(max_in(Department::oldest, of = agee))]
#[table(summed_in(Department::weights, of = weight))]
#[table(min_in(Department::youngest, of = names))]
#[table(counted_in(Department::seniors, when = rank))]
#[table(counted_in(Department::twice), summed_in(Department::twice, of = age))]
struct Employee {
    department: String,
    id: u32,
    age: i32,
    weight: f64,
    rank: i32,
    #[table(json)]
    names: Vec<String>,
}

fn main() {}
