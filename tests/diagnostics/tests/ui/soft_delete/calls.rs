// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}")]
struct User {
    tenant: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Customers", partition = "{shop}", row = "c_{id:06}", soft_delete = deleted)]
struct Customer {
    shop: String,
    id: u32,
    deleted: Option<Timestamp>,
}

fn calls(tables: &Tables, now: Timestamp) {
    let _ = tables.soft_delete(User::point("a", 1));
    let _ = Customer::patch("bonn", 1).deleted(now);
}

fn main() {}
