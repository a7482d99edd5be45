// errors: 8
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Notes", partition = "{owner}", row = "n_{id:06}")]
#[table(index(by_time, row = "t_{updated:ticks}_{id:06}"))]
struct Note {
    owner: String,
    id: u32,
    #[table(created)]
    day: Date,
    #[table(created, updated)]
    both: Timestamp,
    #[table(created)]
    again: Timestamp,
    #[table(updated)]
    updated: Timestamp,
    #[table(updated, encrypt)]
    secret: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Wide", partition = "{owner}", row = "w_{part:02}", wide = 2)]
struct Wide {
    owner: String,
    #[table(updated)]
    updated: Timestamp,
}

#[derive(TableValue)]
struct Seconds(i64);

#[derive(TableEntity)]
#[table(name = "Seconds", partition = "{owner}", row = "seconds")]
struct Opaque {
    owner: String,
    #[table(updated)]
    updated: Seconds,
}

fn main() {}
