//! The entities of all contenders: identical on every machine, and with a fixed stored size.

use table_patterns::prelude::*;

use crate::{dice::Dice, record};

/// Rows per partition.
pub const ROWS: u32 = 1000;
/// Number of levels; the filtered scan selects one of them.
pub const LEVELS: u32 = 100;

const WORDS: [&str; 24] = [
    "parcel",
    "window",
    "before",
    "street",
    "number",
    "please",
    "garden",
    "ring",
    "the",
    "bell",
    "at",
    "left",
    "side",
    "of",
    "door",
    "and",
    "leave",
    "it",
    "with",
    "neighbour",
    "after",
    "six",
    "or",
    "call",
];
const CITIES: [&str; 8] = ["Bergen", "Castries", "Dresden", "Hobart", "Leeds", "Nairobi", "Porto", "Quito"];

/// Eight properties of mixed types under a partition and a row.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "zone{zone:06}", row = "row{row:08}", borrowed)]
pub struct Order {
    pub zone: u32,
    pub row: u32,
    pub title: String,
    pub city: String,
    pub units: i64,
    pub level: i32,
    pub price: f64,
    pub placed: Timestamp,
    pub paid: bool,
    pub note: String,
}

/// The only property of the projection row.
#[derive(Projection, Debug)]
#[table(of = Order)]
pub struct Level {
    pub level: i32,
}

/// Size of a stored entity in bytes, without its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Small,
    Large,
}

impl Size {
    pub const fn bytes(self) -> usize {
        match self {
            Self::Small => 200,
            Self::Large => 1000,
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Small => "200 B",
            Self::Large => "1 KB",
        }
    }
}

impl Order {
    /// Returns the entity with a number. `version` changes all values except the keys, the level and the stored size.
    pub fn of(number: u32, version: u64, size: Size) -> Self {
        Self::at(number / ROWS, number % ROWS, version, size)
    }

    /// Returns the entity with a key.
    pub fn at(zone: u32, row: u32, version: u64, size: Size) -> Self {
        let mut dice = Dice::new((u64::from(zone) * u64::from(ROWS) + u64::from(row)) ^ (version << 32));
        let mut order = Self {
            zone,
            row,
            title: format!("Order {:06}", dice.below(1_000_000)),
            city: dice.pick(&CITIES).to_owned(),
            units: i64::from(dice.below(1_000_000)),
            level: level_of(row),
            price: f64::from(dice.below(1_000_000)) / 100.0,
            placed: Timestamp::UNIX_EPOCH.saturating_add(std::time::Duration::from_secs(
                1_600_000_000 + u64::from(dice.below(90_000_000)),
            )),
            paid: dice.below(2) == 1,
            note: String::new(),
        };
        let note = size.bytes().saturating_sub(record::length(&order));
        order.note.reserve_exact(note + 16);
        while order.note.len() < note {
            order.note.push_str(dice.pick(&WORDS));
            order.note.push(' ');
        }
        order.note.truncate(note);
        order
    }

    pub fn partition_key(zone: u32) -> String {
        format!("zone{zone:06}")
    }

    pub fn row_key(row: u32) -> String {
        format!("row{row:08}")
    }
}

/// Every level is equally frequent in a partition, and evenly distributed.
const fn level_of(row: u32) -> i32 {
    (row % LEVELS * 37 % LEVELS).cast_signed()
}

/// The result of a read, for comparison between contenders. Independent of the contender and of earlier overwrites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub entities: u64,
    pub levels: i64,
}

impl Seen {
    pub fn add(&mut self, level: i32) {
        self.entities += 1;
        self.levels += i64::from(level);
    }

    /// Adds a list of orders, the result form of every contender.
    pub fn add_list(&mut self, orders: &[Order]) {
        for order in std::hint::black_box(orders) {
            self.add(order.level);
        }
    }

    /// Returns the expected result of a read of these rows.
    pub fn of_rows(rows: impl IntoIterator<Item = u32>) -> Self {
        let mut seen = Self::default();
        rows.into_iter().for_each(|row| seen.add(level_of(row % ROWS)));
        seen
    }
}
