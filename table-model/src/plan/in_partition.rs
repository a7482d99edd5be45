//! The most frequent plan, made without regions: the rows of one partition, with RowKeys between two bounds.
//!
//! All queries of the typed API for one partition have this form. The general planner returns the same plan, with ten times
//! the instructions.

use std::cmp::Ordering;

use super::{legal, stretch::Stretch};
use crate::{Filter, Value, filter::Comparison, key::compare};

/// Returns the range of the rows and the residual filter. Returns `None` for a filter of another form: one that is no
/// conjunction of `PartitionKey eq`, bounds of the RowKey and conditions on other properties, or that no key satisfies.
pub(super) fn of(filter: &Filter) -> Option<(Stretch, Option<Filter>)> {
    let parts = if let Filter::And(parts) = filter { parts.as_slice() } else { std::slice::from_ref(filter) };
    let (mut partition, mut rest) = (None, Vec::new());
    let (mut lower, mut upper) = (String::new(), None);
    for part in parts {
        let Filter::Compare { property, operator, value } = part else {
            if !is_free_of_keys(part) {
                return None;
            }
            rest.push(part.clone());
            continue;
        };
        match (property.as_ref(), operator) {
            ("PartitionKey", Comparison::Eq) if partition.is_none() => partition = Some(key(value)?),
            ("RowKey", Comparison::Eq) => {
                let row = key(value)?;
                limit(&mut upper, legal::next(&row));
                raise(&mut lower, row);
            }
            ("RowKey", Comparison::Ge) => raise(&mut lower, key(value)?),
            ("RowKey", Comparison::Gt) => raise(&mut lower, legal::next(&key(value)?)),
            ("RowKey", Comparison::Lt) => limit(&mut upper, key(value)?),
            ("RowKey", Comparison::Le) => limit(&mut upper, legal::next(&key(value)?)),
            _ if is_free_of_keys(part) => rest.push(part.clone()),
            _ => return None,
        }
    }
    if upper.as_ref().is_some_and(|upper| compare(&lower, upper).is_ge()) {
        return None;
    }
    let residual = if rest.is_empty() { None } else { Some(Filter::And(rest).normalized()) };
    Some((Stretch::in_partition(partition?, lower, upper), residual))
}

/// Returns the key that a literal specifies. `None` if it cannot be a key.
fn key(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let (key, is_exact) = legal::at_or_above(text);
    is_exact.then_some(key)
}

fn raise(lower: &mut String, bound: String) {
    if compare(&bound, lower) == Ordering::Greater {
        *lower = bound;
    }
}

fn limit(upper: &mut Option<String>, bound: String) {
    if upper.as_ref().is_none_or(|upper| compare(&bound, upper).is_lt()) {
        *upper = Some(bound);
    }
}

/// Returns whether a filter can be true and can be false at every key: it contains neither keys, nor the timestamp, nor
/// constants.
fn is_free_of_keys(filter: &Filter) -> bool {
    match filter {
        Filter::Compare { property, .. } | Filter::Flag(property) => {
            !matches!(property.as_ref(), "PartitionKey" | "RowKey" | "Timestamp")
        }
        Filter::Constant(_) => false,
        Filter::And(parts) | Filter::Or(parts) => !parts.is_empty() && parts.iter().all(is_free_of_keys),
        Filter::Not(inner) => is_free_of_keys(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    const PARTS: [&str; 27] = [
        "PartitionKey eq 'a'",
        "PartitionKey eq 'a '",
        "PartitionKey eq 'a/'",
        "PartitionKey ne 'b'",
        "PartitionKey eq 5",
        "RowKey eq 'm'",
        "RowKey eq ''",
        "RowKey ne 'm'",
        "RowKey ge 'm'",
        "RowKey gt 'm'",
        "RowKey ge 'm '",
        "RowKey ge ''",
        "RowKey lt ''",
        "RowKey lt 'm'",
        "RowKey le 'm'",
        "RowKey lt 'm  '",
        "RowKey lt 'z'",
        "RowKey le 'y?'",
        "RowKey ge 7",
        "Age ge 30",
        "Flag",
        "RowKey",
        "Timestamp ge 3",
        "true",
        "not (Age lt 3 or (Name eq 'x' and Name ne 'y'))",
        "(RowKey lt 'c' or RowKey gt 'n')",
        "(Age ge 30 and Name eq 'x')",
    ];

    /// Every filter of up to three parts has the plan of the general planner.
    #[test]
    fn the_plan_is_that_of_the_general_planner() {
        let parts = PARTS.map(|part| Filter::parse(part).unwrap());
        let mut direct = 0;
        let mut check = |chosen: &[&Filter]| {
            let flat = chosen.iter().map(|part| (*part).clone()).reduce(Filter::and).unwrap();
            let nested = Filter::And(chosen.iter().map(|part| (*part).clone()).collect());
            for filter in [flat, nested] {
                direct += u32::from(of(&filter).is_some());
                assert_eq!(Plan::of(Some(&filter)), Plan::general(&filter), "{filter}");
            }
        };
        for a in &parts {
            check(&[a]);
            for b in &parts {
                check(&[a, b]);
                for c in &parts {
                    check(&[a, b, c]);
                }
            }
        }
        assert!(direct > 1000, "{direct}");
    }
}
