// errors: 6
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
}

#[derive(TableUnion)]
#[table(partition = "{department}", unknown = keep)]
enum NoOther {
    Employee(Stored<Employee>),
}

#[derive(TableUnion)]
#[table(partition = "{department}", unknown = ignore)]
enum NoPolicy {
    Employee(Stored<Employee>),
}

#[derive(TableUnion)]
#[table(partition = "{department}")]
enum Bare {
    Employee(Employee),
}

#[derive(TableUnion)]
#[table(partition = "{department", unknown = skip)]
enum Template {
    Employee(Stored<Employee>),
}

#[derive(TableUnion)]
#[table(partition = "{department}", unknown = skip)]
struct Struct {
    employee: Employee,
}

#[derive(TableUnion)]
#[table(partition = "{department}", unknown = skip)]
enum UnusedOther {
    Employee(Stored<Employee>),
    #[table(other)]
    Other(Stored<DynamicEntity>),
}

fn main() {}
