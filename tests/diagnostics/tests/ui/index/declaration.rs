// errors: 9
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_email, row = "mail_{email}", unique))]
#[table(index(row = "nameless_{email}", unique))]
#[table(index(rowless, unique))]
#[table(index(by_city, row = "city_{city}"))]
#[table(index(by_badge, row = "badge_{badge:06}", unique))]
#[table(index(by_age, row = "empid_{age:06}", unique))]
#[table(index(by_name, row = "name_{id:06}", copy(frist_name)))]
#[table(index(adults, row = "adult_{id:06}", when = age))]
#[table(index(by_mail, row = "m_{email}", uniqe))]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
    email: String,
    city: String,
    badge: Option<u32>,
    age: u8,
}

fn main() {}
