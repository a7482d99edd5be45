// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Sessions", partition = "{user}", row = "s_{id:06}", expires = end)]
struct Misspelled {
    user: String,
    id: u32,
    ends: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Days", partition = "{user}", row = "d_{id:06}", expires = day)]
struct Day {
    user: String,
    id: u32,
    day: Date,
}

#[derive(TableEntity)]
#[table(name = "Keyed", partition = "{user}", row = "k_{ends:ticks}", expires = ends)]
struct Keyed {
    user: String,
    ends: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Wide", partition = "{user}", row = "w_{part:02}", wide = 2, expires = ends)]
struct Wide {
    user: String,
    ends: Timestamp,
}

#[derive(TableValue)]
struct Seconds(i64);

#[derive(TableEntity)]
#[table(name = "Seconds", partition = "{user}", row = "seconds", expires = ends)]
struct Opaque {
    user: String,
    ends: Seconds,
}

fn main() {}
