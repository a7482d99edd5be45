// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
struct Login {
    user: String,
    at: Timestamp,
}

fn calls(tables: &Tables, cutoff: Timestamp) {
    let _ = tables.drop_before::<Employee>(cutoff);
    let _ = Login::rows("jo").filter(|login| login.at.gt(cutoff));
}

fn main() {}
