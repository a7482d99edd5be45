// errors: 9
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(lookup(by_last_name))]
#[table(lookup(by_name, on = lastname))]
#[table(lookup(by_email, on = last_name))]
#[table(lookup(on = last_name))]
#[table(lookup(by_city, on = city, place = partion))]
#[table(lookup(by_town, on = "city"))]
#[table(lookup(by_place, on = (city, last_name), ids = "_ids"))]
#[table(lookup(by_id, on = city, row = "empid_{city}"))]
#[table(lookup(by_tag, on = tags))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    email: String,
    city: String,
    #[table(json)]
    tags: Vec<String>,
}

fn main() {}
