// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer}", row = "order_{id:06}")]
struct Order {
    customer: String,
    id: u32,
}

#[derive(TableUnion)]
#[table(partition = "{department}")]
enum Anything {
    Employee(Stored<Employee>),
    Order(Stored<Order>),
}

fn main() {}
