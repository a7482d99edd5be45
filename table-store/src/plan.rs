//! From a filter to the fewest key ranges.

mod class;
mod cut;

pub use class::QueryClass;
pub use cut::{Cut, KeyRange};

use crate::Filter;

/// How a query will be served: which key ranges are read, and what is checked on each entity in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The class, best first; see [`QueryClass`].
    pub class: QueryClass,
    /// Disjoint, not adjacent, ascending; empty if no key can match.
    pub ranges: Vec<KeyRange>,
    /// What an entity inside the ranges must still satisfy; none if the ranges say it all.
    pub residual: Option<Filter>,
}

impl Plan {
    /// The plan for a filter; none for all of the table.
    #[must_use]
    pub fn of(filter: Option<&Filter>) -> Self {
        let all = KeyRange { lower: Cut::Start, upper: Cut::End };
        Self { class: QueryClass::TableScan, ranges: vec![all], residual: filter.cloned() }
    }
}
