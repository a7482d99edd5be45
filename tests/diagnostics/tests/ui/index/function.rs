// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(leavers, row = "left_{id:06}", when = has_left))]
#[table(index(seniors, row = "senior_{id:06}", when = self::is_senior))]
#[table(index(by_email, row = "email_{email}", unique))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    age: u8,
}

impl Employee {
    fn by_email(&self) -> &str {
        &self.email
    }
}

fn main() {}
