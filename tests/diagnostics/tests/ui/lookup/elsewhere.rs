// errors: 8
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, table = "ByName"))]
#[table(lookup(by_name, on = last_name, place = partition, partition = "{last_name}"))]
#[table(lookup(by_city, on = city, place = blob, ids = "EmployeeIDs"))]
#[table(lookup(by_town, on = city, place = blob, table = "Towns"))]
#[table(lookup(by_place, on = (city, last_name), place = table, partition = "{city}"))]
#[table(lookup(by_home, on = city, place = table, partition = "{city}_{department}"))]
#[table(lookup(by_street, on = city, place = table, table = "by-street"))]
#[table(lookup(by_tag, on = tags, place = blob))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    city: String,
    #[table(json)]
    tags: Vec<String>,
}

fn main() {}
