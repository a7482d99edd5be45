// errors: 2
#![deny(deprecated)]
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "{at:%Y%m%d}", row = "{id:06}")]
struct TimeLed {
    at: Timestamp,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "all", row = "{at:ticks}_{id:06}")]
struct Constant {
    at: Timestamp,
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "all", row = "{at:ticks}_{id:06}", allow(append_only))]
struct Allowed {
    at: Timestamp,
    id: u32,
}

fn main() {}
