//! What a server has measured of the requests of an account.

mod totals;

use std::fmt;

pub use table_rest::server::SlowRequest;
pub use totals::{Distribution, TableTotals, Totals, TotalsAt};

/// The measurements of a server, which the explorer shows. The program that serves the account implements it.
pub trait Observed: fmt::Debug + Send + Sync {
    /// Returns `true` if only the requests of this explorer are measured, not those of other programs.
    fn is_own(&self) -> bool {
        false
    }

    /// Returns the counts of the last hour, about one for each minute, the oldest first. The last ones are current.
    fn totals(&self) -> Vec<TotalsAt>;

    /// Returns the load of the partitions of the last 60 minutes in steps of one minute, or of the last 24 hours in steps of
    /// 15 minutes; the oldest step first. Steps without requests are missing.
    fn heat(&self, span: HeatSpan) -> Vec<HeatStep>;

    /// Returns the last slow requests, the newest first.
    fn slow_requests(&self) -> Vec<SlowRequest>;
}

/// A period of time of the heat map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeatSpan {
    /// 60 steps of one minute.
    Hour,
    /// 96 steps of 15 minutes.
    Day,
}

impl HeatSpan {
    /// Returns the length of a step in minutes.
    #[must_use]
    pub const fn step_minutes(self) -> u64 {
        match self {
            Self::Hour => 1,
            Self::Day => 15,
        }
    }

    /// Returns the number of steps.
    #[must_use]
    pub const fn steps(self) -> u64 {
        match self {
            Self::Hour => 60,
            Self::Day => 96,
        }
    }
}

/// The load of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatStep {
    /// Start in minutes since 1970.
    pub start: u64,
    /// Entities that requests read and wrote in all partitions.
    pub entities: u64,
    /// The busiest partitions, the busiest first.
    pub partitions: Vec<HotPartition>,
}

/// The load of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotPartition {
    /// Name of the table in lower case.
    pub table: String,
    /// PartitionKey. A long one ends with `…`.
    pub partition: String,
    /// Upper bound of the entities that requests read and wrote.
    pub entities: u64,
    /// The bound may be too high by this number.
    pub overestimate: u64,
}
