//! Computes the keys that can satisfy a filter, and the residual filter for entities with these keys.

use std::cmp::Ordering;

use super::{region::Region, steps::KeySet};
use crate::{Filter, Value, filter::Comparison};

/// Returns the keys at which the filter can evaluate to `truth` for any values of the other properties. No entity
/// outside the region evaluates to `truth`.
///
/// Negation is pushed down to the comparisons. A key is never absent, so a comparison with a key is either true or
/// false at each key. A comparison with another property can be either at any key, negated or not, because the property
/// may be absent.
pub(super) fn may_be(filter: &Filter, truth: bool) -> Region {
    match filter {
        Filter::Compare { property, operator, value } => comparison_may_be(property, *operator, value, truth),
        Filter::Flag(property) => {
            // These three always exist and are never Booleans.
            let never = matches!(property.as_ref(), "PartitionKey" | "RowKey" | "Timestamp");
            Region::everything_if(!never || !truth)
        }
        Filter::Constant(holds) => Region::everything_if(*holds == truth),
        Filter::And(parts) if truth => join(parts, truth, Region::intersect, true),
        Filter::Or(parts) if !truth => join(parts, truth, Region::intersect, true),
        Filter::And(parts) | Filter::Or(parts) => join(parts, truth, Region::unite, false),
        Filter::Not(inner) => may_be(inner, !truth),
    }
}

fn comparison_may_be(property: &str, operator: Comparison, value: &Value, truth: bool) -> Region {
    let keys = || {
        let keys = KeySet::of(operator, value);
        if truth { keys } else { keys.map(|inside| !inside) }
    };
    match property {
        "PartitionKey" => Region::of_partitions(&keys()),
        "RowKey" => Region::of_rows(keys()),
        "Timestamp" if !matches!(value, Value::DateTime(_)) => {
            Region::everything_if(operator.holds(Some(Ordering::Less)) == truth)
        }
        _ => Region::everything_if(true),
    }
}

/// Joins the regions of all parts pairwise. The cost is nearly linear in the number of parts.
fn join(parts: &[Filter], truth: bool, both: fn(&Region, &Region) -> Region, none: bool) -> Region {
    match parts {
        [] => Region::everything_if(none),
        [part] => may_be(part, truth),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            both(&join(left, truth, both, none), &join(right, truth, both, none))
        }
    }
}

/// Returns the condition that remains for an entity whose keys are in `covered`: parts of the filter with a constant
/// result there are replaced by that result. Returns `None` if the remaining condition is always true.
pub(super) fn residual(filter: &Filter, covered: &Region) -> Option<Filter> {
    match settle(filter, covered).normalized() {
        Filter::Constant(true) => None,
        rest => Some(rest),
    }
}

fn settle(filter: &Filter, covered: &Region) -> Filter {
    if !may_be(filter, false).overlaps(covered) {
        return Filter::Constant(true);
    }
    if !may_be(filter, true).overlaps(covered) {
        return Filter::Constant(false);
    }
    match filter {
        Filter::And(parts) => Filter::And(parts.iter().map(|part| settle(part, covered)).collect()),
        Filter::Or(parts) => Filter::Or(parts.iter().map(|part| settle(part, covered)).collect()),
        Filter::Not(inner) => settle(inner, covered).not(),
        leaf => leaf.clone(),
    }
}
