//! The measurements: one row per operation, as data.

mod bulk;
pub mod clients;
mod disk;
mod drop;
mod durable;
mod indexes;
mod memory;
mod reads;
mod reopen;

use std::time::Duration;

use crate::{
    bench::{Bench, Subject},
    contender::{Kind, Outcome},
    order::Size,
};

pub use reopen::write_until_killed;

/// The result of a contender in one round.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub value: f64,
    /// Median and 99th percentile latency of single operations, where measured.
    pub latency: Option<[Duration; 2]>,
}

impl From<f64> for Sample {
    fn from(value: f64) -> Self {
        Self { value, latency: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    PerSecond(&'static str),
    Milliseconds,
    Mebibytes,
    /// Relative to the bytes of keys and records.
    Times,
}

impl Unit {
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::PerSecond(_))
    }
}

/// A goal.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// The ratio of `of` to `to`; inverted if smaller values are better.
    Ratio { of: Kind, to: Kind, at_least: f64 },
    /// The value of ours, in the unit of the row.
    AtMost(f64),
}

const fn ratio(to: Kind, at_least: f64) -> Goal {
    Goal::Ratio { of: Kind::Ours, to, at_least }
}

pub struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub unit: Unit,
    pub sizes: &'static [Size],
    pub kinds: &'static [Kind],
    pub goals: &'static [Goal],
    /// `true` if the row uses stores that are loaded before.
    pub on_loaded: bool,
    /// `true` if one round is sufficient.
    pub once: bool,
    pub run: fn(&Bench, Subject) -> Outcome<Sample>,
}

const BOTH: &[Size] = &[Size::Small, Size::Large];
const SMALL: &[Size] = &[Size::Small];
const STORES: &[Kind] = &[Kind::Ours, Kind::ByHand, Kind::Redb, Kind::Sqlite, Kind::RocksDb, Kind::NativeDb];

pub fn all() -> impl Iterator<Item = &'static Row> {
    [
        bulk::ROWS,
        reads::ROWS,
        durable::ROWS,
        indexes::ROWS,
        drop::ROWS,
        reopen::ROWS,
        disk::ROWS,
        memory::ROWS,
    ]
    .into_iter()
    .flatten()
}

impl Row {
    /// Returns `true` for the name of the row or of its family: `point-get` matches both `point-get-1` and
    /// `point-get-2`.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}
