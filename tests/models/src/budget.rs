//! How much may happen in a model.

use std::fmt;

/// What is left of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Budget {
    /// Operations that clients may begin.
    pub(crate) ops: u8,
    /// Times that a worker may lose all it has in memory. Clients may stop at any step and as often as
    /// they are.
    pub(crate) crashes: u8,
    /// Requests whose reply is lost: they take effect at any later time, or never.
    pub(crate) lost: u8,
    /// Workers, one or two.
    pub(crate) workers: u8,
}

impl Budget {
    /// Two workers.
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
