// errors: 5
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{id:06}")]
struct Alone {
    user: String,
    at: Timestamp,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:%Y%m}_{id:06}")]
struct Coarser {
    user: String,
    at: Timestamp,
    id: u32,
}

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y-%m}", partition = "{user}", row = "{at:ticks}")]
struct Separated {
    user: String,
    at: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Logins{user}", partition = "{user}", row = "{at:ticks}")]
struct OfText {
    user: String,
    at: Timestamp,
}

#[derive(TableEntity)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "at_{at:ticks}")]
#[table(index(by_level, row = "level_{level:04}_{at:ticks}"))]
struct Indexed {
    user: String,
    at: Timestamp,
    level: u32,
}

fn main() {}
