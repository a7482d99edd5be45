//! Query planning: from a filter to a minimal set of key ranges (`G-QRY-1`, `G-QRY-2`).
//!
//! PartitionKey and RowKey are the only index. A plan contains the key ranges that a filter requires, in order, and the
//! conditions to check on each entity in these ranges. The form of the filter does not matter: the planner supports
//! `or`, `not`, `ne`, bounds in any order and type mismatches.
//!
//! ```
//! use table_model::{Filter, Plan, QueryClass};
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
//! # Ok::<(), table_model::TableError>(())
//! ```

mod class;
mod cost;
mod cover;
mod cut;
mod explain;
mod in_partition;
mod legal;
mod region;
mod steps;
mod stretch;

pub use class::QueryClass;
pub use cost::QueryCost;
pub use cut::{Cut, KeyRange};

use crate::Filter;

/// Execution plan of a query: the key ranges to read and the condition to check on each entity.
///
/// `Display` prints the plan for users, like `explain`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Cost class; see [`QueryClass`].
    pub class: QueryClass,
    /// Key ranges: disjoint, not adjacent, ascending. Empty if no key can match.
    pub ranges: Vec<KeyRange>,
    /// Condition to check on entities in the ranges; `None` if every entity in the ranges matches.
    pub residual: Option<Filter>,
}

impl Plan {
    /// Creates the plan for a filter, or for the whole table if there is no filter.
    ///
    /// Every matching entity is in the ranges. An entity in the ranges matches if and only if it satisfies the
    /// residual. A RowKey restriction across a range of partitions cannot be expressed as a range: the plan reads the
    /// whole range and keeps the restriction in the residual.
    ///
    /// The cost is bounded for every filter: beyond 512 ranges the planner merges ranges, and the residual filters the
    /// additional entities. The nesting depth is not limited here; [`Filter::check`] checks it for filters that were
    /// not parsed.
    #[must_use]
    pub fn of(filter: Option<&Filter>) -> Self {
        let everything = Filter::Constant(true);
        let filter = filter.unwrap_or(&everything);
        match in_partition::of(filter) {
            None => Self::general(filter),
            Some((stretch, residual)) => {
                let class = QueryClass::of(std::slice::from_ref(&stretch));
                Self { class, ranges: vec![stretch.to_range()], residual }
            }
        }
    }

    fn general(filter: &Filter) -> Self {
        let (stretches, covered) = stretch::stretches(&cover::may_be(filter, true));
        Self {
            class: QueryClass::of(&stretches),
            ranges: stretches.iter().map(stretch::Stretch::to_range).collect(),
            residual: if stretches.is_empty() { None } else { cover::residual(filter, &covered) },
        }
    }

    /// Returns the key of the partition that contains all ranges; `None` if there are several, or no ranges.
    #[must_use]
    pub fn partition(&self) -> Option<&str> {
        let mut partitions = self.ranges.iter().map(KeyRange::partition);
        let first = partitions.next()??;
        partitions.all(|partition| partition == Some(first)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_one_partition_has_its_key() {
        let partition = |filter: &str| {
            let plan = Plan::of(Some(&Filter::parse(filter).unwrap()));
            plan.partition().map(str::to_owned)
        };
        for one in [
            "PartitionKey eq 'a'",
            "PartitionKey eq 'a' and RowKey eq '1'",
            "PartitionKey eq 'a' and (RowKey eq '1' or RowKey gt '5') and Age gt 3",
        ] {
            assert_eq!(partition(one).as_deref(), Some("a"), "{one}");
        }
        for other in
            ["PartitionKey gt 'a'", "PartitionKey eq 'a' or PartitionKey eq 'b'", "Age gt 3", "false"]
        {
            assert_eq!(partition(other), None, "{other}");
        }
    }
}
