// errors: 4
use table_patterns::prelude::*;

#[derive(TableFields, Clone, Debug)]
struct Address {
    city: String,
    #[table(json)]
    notes: Vec<String>,
}

#[derive(TableEntity)]
#[table(name = "Customers", partition = "{region}", row = "{id:06}")]
#[table(index(by_id, partition = "c_{id:06}", row = "{region}", copy(home)))]
struct Customer {
    region: String,
    id: u32,
    #[table(flatten)]
    home: Address,
    #[table(flatten)]
    billing: Address,
}

fn main() {
    let _ = Customer::scan_partition("eu").filter(|e| e.billing.eq("Bonn"));
    let _ = Customer::scan_partition("eu").filter(|e| e.billing.notes.eq("bell"));
    let _ = Customer::patch("eu", 1).home(|home| home.city("Bonn".to_owned()));
    let _ = Customer::patch("eu", 1).billing(|billing| billing.street("Main 1".to_owned()));
}
