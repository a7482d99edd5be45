// errors: 9
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
struct WithoutWord {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{device:06}", row = "{at:ticks}")]
#[table(shard(of = device, count = 16))]
struct WithoutHole {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{device:06}", row = "{shard:02}_{at:ticks}")]
#[table(shard(of = device, count = 16))]
struct InTheRow {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = devise, count = 16))]
struct Misspelt {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}")]
#[table(shard(of = device, count = 16))]
struct OfNoKey {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 200))]
struct TooMany {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 1))]
struct TooFew {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device))]
struct Uncounted {
    at: Timestamp,
    device: u32,
}

#[derive(TableEntity)]
#[table(name = "Events", partition = "{shard}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 16))]
struct Unpadded {
    at: Timestamp,
    device: u32,
}

fn main() {}
