//! Combination of the ranges of several partitions into one query.

use std::{
    collections::HashSet,
    ops::{Bound, RangeBounds},
};

use table_model::{ErrorCode, QueryClass, TableError};
use table_schema::{
    key::periods,
    template::{DateUnit, Part, Shape},
};

use crate::{
    Error, TableEntity,
    core::{
        key::Time,
        placement::shape_of,
        spec::{
            PartitionRange, Spec, Target,
            spread::{Order, Spread, TableSet},
        },
    },
    design::{Design, Template},
};

/// Maximum number of periods of a query.
const MOST: usize = 10_000;

/// A field by which the partitions are sorted, and the order of their rows.
type Sorted = (&'static str, Order);

/// Returns the query for the periods in a range of times. `rows` returns the query of one partition.
pub(super) fn queries<E: TableEntity, T: Time>(
    times: &impl RangeBounds<T>,
    rows: impl Fn(T) -> Spec,
) -> Result<Spec, Error> {
    let times = (end(times.start_bound(), 1)?, end(times.end_bound(), -1)?);
    over(E::DESIGN, times, |start| Ok(rows(T::from_ticks(start)?)))
}

/// Returns the query for the periods from that of a tick to that of another one. `rows` returns the query of the partition
/// of a tick.
pub(crate) fn over(
    design: &'static Design,
    (from, to): (i64, i64),
    mut rows: impl FnMut(i64) -> Result<Spec, Error>,
) -> Result<Spec, Error> {
    let first = rows(from)?;
    let (_, partition, row) = first.subject.path.keys(design);
    let (field, unit) = period(design.name, partition)?;
    let starts: Vec<i64> = periods(unit, from, to).take(MOST + 1).collect();
    if starts.len() > MOST {
        return Err(invalid(format!(
            "The range contains more than {MOST} periods of `{}`; read it in several queries.",
            partition.text
        )));
    }
    let order = match shape_of(row, field).map(|shape| (shape.ascending(), shape.is_descending())) {
        Some((Shape::Ticks, is_descending)) => Some(is_descending),
        Some((Shape::Date(format), is_descending)) if format.finest() >= unit => Some(is_descending),
        _ => None,
    };
    let sorted =
        order.map(|is_descending| (field, if is_descending { Order::Descending } else { Order::Ascending }));
    let specs: Result<Vec<Spec>, Error> = starts.into_iter().map(rows).collect();
    Ok(combined(specs?.into_iter(), sorted).unwrap_or_else(|| nothing(first)))
}

/// Combines the ranges of several partitions. Returns `None` without ranges.
pub(super) fn combined(mut specs: impl Iterator<Item = Spec>, sorted: Option<Sorted>) -> Option<Spec> {
    let mut spec = specs.next()?;
    spec.class = QueryClass::FanOut;
    let entity = spec.subject.name;
    spec.target = spec.target.and_then(|first| {
        let PartitionRange { table, partition_key, keys, open } = match first {
            Target::Range(range) => range,
            // Without matching keys in one partition, no partition has any.
            other => return Ok(other),
        };
        let mut known = HashSet::from([partition_key.clone()]);
        let mut partitions = vec![partition_key];
        for spec in specs {
            match spec.target? {
                Target::Range(other) if other.table == table && other.keys == keys => {
                    if known.insert(other.partition_key.clone()) {
                        partitions.push(other.partition_key);
                    }
                }
                _ => {
                    return Err(invalid(format!(
                        "The ranges of `{entity}` differ in more than the PartitionKey; read them one by one."
                    )));
                }
            }
        }
        let order =
            sorted.filter(|(field, _)| open == Some(*field)).map_or(Order::Merged, |(_, order)| order);
        Ok(Target::Spread(Box::new(Spread {
            tables: TableSet::Named(vec![table]),
            partitions: Some(partitions),
            is_by_partition: true,
            keys,
            order,
            descending: false,
        })))
    });
    Some(spec)
}

/// Returns a query for no periods.
fn nothing(mut spec: Spec) -> Spec {
    spec.class = QueryClass::FanOut;
    if let Ok(Target::Range(PartitionRange { table, .. })) = spec.target {
        spec.target = Ok(Target::Nothing(table));
    }
    spec
}

/// Returns the ticks of an end of a range.
fn end<T: Time>(bound: Bound<&T>, excluded: i64) -> Result<i64, Error> {
    match bound {
        Bound::Included(time) => Ok(time.to_ticks()?),
        Bound::Excluded(time) => Ok(time.to_ticks()?.saturating_add(excluded)),
        Bound::Unbounded => {
            Err(invalid("The periods of a range without start or end cannot be listed; specify both."))
        }
    }
}

/// Returns the only field of a PartitionKey that is a period, and its unit.
fn period(entity: &str, partition: &'static Template) -> Result<(&'static str, DateUnit), Error> {
    let mut parts = partition.form.parts().iter().filter_map(|part| match part {
        Part::Field { field, shape, .. } => match shape.ascending() {
            Shape::Date(format) => Some((*field, format.finest())),
            _ => None,
        },
        Part::Literal(_) => None,
    });
    match (parts.next(), parts.next()) {
        (Some(period), None) => Ok(period),
        _ => Err(invalid(format!(
            "The PartitionKey `{}` of `{entity}` does not contain exactly one period, such as `{{at:%Y%m%d}}`; \
             query its partitions one by one.",
            partition.text
        ))),
    }
}

fn invalid(message: impl Into<String>) -> Error {
    TableError::with_message(ErrorCode::InvalidInput, message.into()).into()
}
