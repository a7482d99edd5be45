// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", version = 2)]
struct NoFrom {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
struct EmployeeV1 {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", version = 2, from(EmployeeV1))]
struct NoConversion {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", from(EmployeeV1))]
struct NoVersion {
    department: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
#[table(version = 2, from(EmployeeV1))]
struct NoType {
    department: String,
    id: u32,
}

fn main() {}
