// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = Employees, name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct NotText {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(row = "{id:06}", rename_all = "kebab-case", entity_type = Employee)]
struct Several {
    department: String,
    id: u32,
    #[table(max)]
    name: String,
}

fn main() {}
