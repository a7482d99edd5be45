//! What is measured: one row for each operation, as data.

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

/// What a contender did in one round.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub value: f64,
    /// The middle and the slowest hundredth of single operations, where they are timed.
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
    /// Of the bytes of keys and records.
    Times,
}

impl Unit {
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::PerSecond(_))
    }
}

/// What is to be reached.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// Ours in parts of another; for what should be small, the other in parts of ours.
    Ratio { of: Kind, to: Kind, at_least: f64 },
    /// Ours, in the row's unit.
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
    /// Whether it works on stores that are loaded before.
    pub on_loaded: bool,
    /// Whether one round tells all.
    pub once: bool,
    pub run: fn(&Bench, Subject) -> Outcome<Sample>,
}

const BOTH: &[Size] = &[Size::Small, Size::Large];
const SMALL: &[Size] = &[Size::Small];
const STORES: &[Kind] = &[Kind::Ours, Kind::ByHand, Kind::Redb, Kind::Sqlite, Kind::NativeDb];

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
    /// Whether a name is the row's or its family's: `point-get` is both `point-get-1` and `point-get-2`.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}
