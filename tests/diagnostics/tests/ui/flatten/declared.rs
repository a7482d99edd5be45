// errors: 6
use table_patterns::prelude::*;

#[derive(TableFields, Clone, Debug)]
struct Address {
    street: String,
    city: String,
}

#[derive(TableEntity)]
#[table(name = "Customers", partition = "{region}", row = "{id:06}_{home}", changes)]
#[table(index(by_home, row = "home_{id:06}", unique, when = home))]
#[table(max_in(Region::last, of = home))]
struct Customer {
    region: String,
    id: u32,
    #[table(flatten)]
    home: Address,
    #[table(flatten, encrypt)]
    secret: Address,
    #[table(flatten)]
    billing: Option<Address>,
    #[table(flatten)]
    photo: Vec<u8>,
}

fn main() {}
