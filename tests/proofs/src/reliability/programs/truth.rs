//! A second implementation of filters, from the rules and without the store's own code.

use std::cmp::Ordering;

use table_store::{Filter, Row, Value, filter::Comparison};

/// Returns whether the row satisfies the filter. The row contains all its properties.
#[must_use]
pub fn holds(filter: &Filter, row: &Row) -> bool {
    decide(filter, &|name| match name {
        "PartitionKey" => row.partition_key.clone().map(Value::String),
        "RowKey" => row.row_key.clone().map(Value::String),
        "Timestamp" => row.timestamp.map(Value::DateTime),
        _ => row.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
    })
}

/// Returns whether a table of this name satisfies the filter.
#[must_use]
pub fn holds_for_table(filter: &Filter, table: &str) -> bool {
    decide(filter, &|name| (name == "TableName").then(|| table.into()))
}

/// Returns the number of comparisons in a filter.
#[must_use]
pub fn comparisons(filter: &Filter) -> usize {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().map(comparisons).sum(),
        Filter::Not(inner) => comparisons(inner),
        Filter::Constant(_) => 0,
        _ => 1,
    }
}

fn decide(filter: &Filter, property: &dyn Fn(&str) -> Option<Value>) -> bool {
    match filter {
        Filter::Constant(constant) => *constant,
        Filter::Flag(name) => property(name) == Some(Value::Boolean(true)),
        Filter::Not(inner) => !decide(inner, property),
        Filter::And(parts) => parts.iter().all(|part| decide(part, property)),
        Filter::Or(parts) => parts.iter().any(|part| decide(part, property)),
        Filter::Compare { property: name, operator, value } => match property(name) {
            None => false,
            Some(stored) => stands(*operator, order(&stored, value)),
        },
        _ => false,
    }
}

fn stands(operator: Comparison, order: Option<Ordering>) -> bool {
    let is = |expected| order == Some(expected);
    match operator {
        Comparison::Eq => is(Ordering::Equal),
        Comparison::Ne => !is(Ordering::Equal),
        Comparison::Lt => is(Ordering::Less),
        Comparison::Gt => is(Ordering::Greater),
        Comparison::Le => is(Ordering::Less) || is(Ordering::Equal),
        Comparison::Ge => is(Ordering::Greater) || is(Ordering::Equal),
    }
}

/// Compares the stored value with the literal. Numbers are compared if the literal is not wider than the stored type;
/// for any other two types the stored value is the lesser one.
#[expect(clippy::cast_precision_loss, reason = "a whole number is rounded to the nearest double here")]
fn order(stored: &Value, literal: &Value) -> Option<Ordering> {
    match (stored, literal) {
        (Value::Int32(a), Value::Int32(b)) => Some(a.cmp(b)),
        (Value::Int64(a), Value::Int32(b)) => Some(a.cmp(&i64::from(*b))),
        (Value::Int64(a), Value::Int64(b)) => Some(a.cmp(b)),
        (Value::Double(a), Value::Int32(b)) => a.partial_cmp(&f64::from(*b)),
        (Value::Double(a), Value::Int64(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::String(a), Value::String(b)) => Some(a.encode_utf16().cmp(b.encode_utf16())),
        (Value::Binary(a), Value::Binary(b)) => Some(a.cmp(b)),
        (Value::Boolean(a), Value::Boolean(b)) => Some(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Some(a.ticks().cmp(&b.ticks())),
        (Value::Guid(a), Value::Guid(b)) => Some(a.as_u128().cmp(&b.as_u128())),
        _ => Some(Ordering::Less),
    }
}
