// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Sessions", partition = "{user}", row = "s_{id:06}")]
struct Session {
    user: String,
    id: u32,
    ends: Timestamp,
}

fn sweep(tables: &Tables) {
    let _ = tables.expire::<Session>();
}

fn main() {}
