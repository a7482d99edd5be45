// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(lookup(by_last_name, on = last_name, place = blob))]
#[table(wide = 200, shard(of = id, count = 16), archive = "Former")]
struct Employee {
    department: String,
    id: u32,
    email: String,
    last_name: String,
}

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
struct Login {
    user: String,
    at: Timestamp,
}

fn main() {}
