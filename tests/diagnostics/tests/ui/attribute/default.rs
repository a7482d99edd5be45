// errors: 4
use table_patterns::prelude::*;

fn quota() -> String {
    "50".to_owned()
}

#[derive(TableEntity)]
#[table(name = "Plans", partition = "{tenant}", row = "{id:04}")]
struct Plan {
    tenant: String,
    id: u32,
    #[table(default = quota)]
    quota: u32,
}

#[derive(TableEntity)]
#[table(name = "Hours", partition = "{tenant}", row = "{id:04}")]
struct Hours {
    tenant: String,
    id: u32,
    #[table(series, default = quota)]
    hours: [i32; 24],
    #[table(default = "50")]
    name: String,
}

#[derive(TableEntity)]
#[table(name = "Names", partition = "{tenant}", row = "{id:04}", borrowed)]
struct Name {
    tenant: String,
    id: u32,
    #[table(default = quota)]
    name: String,
}

fn main() {}
