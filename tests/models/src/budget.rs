//! Bounds of a model.

use std::fmt;

/// The remaining budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Budget {
    /// Operations that clients can start.
    pub(crate) ops: u8,
    /// Number of times that a worker can lose its memory. Clients can stop at any step, without a limit.
    pub(crate) crashes: u8,
    /// Requests whose response is lost: they take effect at any later time, or never.
    pub(crate) lost: u8,
    /// Workers, one or two.
    pub(crate) workers: u8,
}

impl Budget {
    /// Returns a budget with two workers.
    pub(crate) const fn new(ops: u8, crashes: u8, lost: u8) -> Self {
        Self { ops, crashes, lost, workers: 2 }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ops, crashes, lost, workers } = self;
        write!(f, "{ops} ops, {crashes} crashes, {lost} lost, {workers} workers")
    }
}
