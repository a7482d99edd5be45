//! From a filter to the fewest key ranges (`G-QRY-1`, `G-QRY-2`).
//!
//! PartitionKey and RowKey are the only index. A plan says which part of it a filter needs: ranges of keys, in order,
//! and what must still be checked on each entity found there. How a filter is written does not matter: `or`, `not`,
//! `ne`, bounds in any order and type mismatches are all understood.
//!
//! ```
//! use table_store::{Filter, Plan, QueryClass};
//!
//! let filter = Filter::parse("PartitionKey eq 'Sales' and not (RowKey lt 'S' or RowKey ge 'T') and Age ge 30")?;
//! let plan = Plan::of(Some(&filter));
//! assert_eq!(plan.class, QueryClass::RowRange);
//! assert_eq!(
//!     plan.to_string(),
//!     "row-range, 1 range\n\
//!      - PartitionKey 'Sales', RowKey from 'S' to before 'T'\n\
//!      check on each entity: Age ge 30"
//! );
//! # Ok::<(), table_store::TableError>(())
//! ```

mod class;
mod cover;
mod cut;
mod explain;
mod legal;
mod region;
mod steps;
mod stretch;

pub use class::QueryClass;
pub use cut::{Cut, KeyRange};

use crate::Filter;

/// How a query will be served: which key ranges are read, and what is checked on each entity in them.
///
/// `Display` prints it for people, as `explain` shows it.
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
    ///
    /// Every entity that matches lies in the ranges, and an entity in the ranges matches if and only if it satisfies
    /// the residual. A RowKey restriction across a range of partitions cannot be a range: the range is read whole and
    /// the restriction is kept in the residual.
    ///
    /// The cost is bounded for every filter: past 512 ranges they are widened, and the residual does the rest. The
    /// nesting is not bounded here; [`Filter::check`] does that for filters that were not parsed.
    #[must_use]
    pub fn of(filter: Option<&Filter>) -> Self {
        let everything = Filter::Constant(true);
        let filter = filter.unwrap_or(&everything);
        let (stretches, covered) = stretch::stretches(&cover::may_be(filter, true));
        Self {
            class: QueryClass::of(&stretches),
            ranges: stretches.iter().map(stretch::Stretch::to_range).collect(),
            residual: if stretches.is_empty() { None } else { cover::residual(filter, &covered) },
        }
    }
}
