// errors: 2
use table_patterns::prelude::*;

#[derive(TableFields)]
struct Address {
    city: String,
}

#[derive(TableEntity)]
#[table(name = "Customers", partition = "{region}", row = "customer")]
struct Customer {
    region: String,
    #[table(flatten)]
    home: Address,
    home_city: String,
}

struct Plain {
    city: String,
}

#[derive(TableEntity)]
#[table(name = "Suppliers", partition = "{region}", row = "supplier")]
struct Supplier {
    region: String,
    #[table(flatten)]
    home: Plain,
}

fn main() {}
