// errors: 6
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", soft_delete = delete)]
struct Misspelled {
    tenant: String,
    id: u32,
    deleted: Option<Timestamp>,
}

#[derive(TableEntity)]
#[table(name = "Required", partition = "{tenant}", row = "r_{id:06}", soft_delete = deleted)]
struct Required {
    tenant: String,
    id: u32,
    deleted: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Flags", partition = "{tenant}", row = "f_{id:06}", soft_delete = deleted)]
struct Flag {
    tenant: String,
    id: u32,
    deleted: Option<bool>,
}

#[derive(TableEntity)]
#[table(name = "Keyed", partition = "{tenant}", row = "k_{id:06}", soft_delete = deleted)]
#[table(index(by_time, row = "t_{deleted:ticks}_{id:06}", sparse))]
struct Keyed {
    tenant: String,
    id: u32,
    deleted: Option<Timestamp>,
}

#[derive(TableEntity)]
#[table(name = "Archived", partition = "{tenant}", row = "a_{id:06}", archive = "Old", soft_delete = deleted)]
struct Archived {
    tenant: String,
    id: u32,
    deleted: Option<Timestamp>,
}

#[derive(TableValue)]
struct Seconds(i64);

#[derive(TableEntity)]
#[table(name = "Seconds", partition = "{tenant}", row = "seconds", soft_delete = deleted)]
struct Opaque {
    tenant: String,
    deleted: Option<Seconds>,
}

fn main() {}
