//! Series, wide entities, tables per period, and sharded keys.

use table_patterns::prelude::*;

use super::SLOTS;

/// A series, whose slots are set by merges.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Days", partition = "{who}", row = "{day:%Y%m%d}")]
pub struct Day {
    pub who: String,
    pub day: Date,
    #[table(series)]
    pub hours: [Option<i64>; 24],
}

/// An entity of several rows.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Years", partition = "{who}", row = "{year:04}_{part:02}", wide = 20)]
pub struct Year {
    pub who: String,
    pub year: u16,
    #[table(series)]
    pub days: [Option<i64>; SLOTS],
}

/// An entity with one table per hour.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Logins{at:%Y%m%d%H}", partition = "{who}", row = "{at:inverted_ticks}")]
pub struct Login {
    pub who: String,
    pub at: Timestamp,
    pub stamp: i64,
}

/// An entity with keys sharded over eight partitions.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 8))]
pub struct Event {
    pub at: Timestamp,
    pub device: u32,
    pub stamp: i64,
    #[table(encrypt)]
    pub text: String,
}
