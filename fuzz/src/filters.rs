//! Filters as trees, with a printer and an evaluator that are independent of the implementations under test.

use arbitrary::{Result, Unstructured};
use std::cmp::Ordering;
use table_store::{Entity, Filter, Timestamp, Uuid, Value, filter::Comparison};

use crate::texts::{short, utf16_order};

/// Property names in filters; an entity may lack all except the keys.
const NAMES: [&str; 5] = ["PartitionKey", "RowKey", "A", "B", "C"];

/// Below the limit of the language, so that every tree parses.
const MOST_LEAVES: usize = 12;

/// Returns a tree of at most five levels and twelve comparisons. With `keys_only`, it compares only the two keys.
pub fn tree(input: &mut Unstructured<'_>, keys_only: bool) -> Result<Filter> {
    let mut leaves = MOST_LEAVES;
    node(input, keys_only, 4, &mut leaves)
}

fn node(input: &mut Unstructured<'_>, keys_only: bool, depth: usize, leaves: &mut usize) -> Result<Filter> {
    let form = if depth == 0 || *leaves < 2 { 0 } else { input.int_in_range(0..=6)? };
    if form < 3 {
        return leaf(input, keys_only, leaves);
    }
    if form == 6 {
        return Ok(Filter::Not(Box::new(node(input, keys_only, depth - 1, leaves)?)));
    }
    let count = input.int_in_range(0..=3)?;
    let parts = (0..count).map(|_| node(input, keys_only, depth - 1, leaves)).collect::<Result<Vec<_>>>()?;
    Ok(if form < 5 { Filter::And(parts) } else { Filter::Or(parts) })
}

fn leaf(input: &mut Unstructured<'_>, keys_only: bool, leaves: &mut usize) -> Result<Filter> {
    if *leaves == 0 {
        return Ok(Filter::Constant(true));
    }
    *leaves -= 1;
    let names = if keys_only { &NAMES[..2] } else { &NAMES[..] };
    let name = *input.choose(names)?;
    Ok(match input.int_in_range(0..=9)? {
        0 => Filter::Flag(name.into()),
        1 => Filter::Constant(input.arbitrary()?),
        _ => {
            let operator = *input.choose(&Comparison::ALL)?;
            let is_key = NAMES[..2].contains(&name);
            let literal = if is_key && input.ratio(9, 10)? { short(input, 3)?.into() } else { value(input)? };
            Filter::compare(name, operator, literal)
        }
    })
}

/// Returns a value of any type; small values are likely, so that some are equal.
fn value(input: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match input.int_in_range(0..=11)? {
        0 => input.arbitrary::<[u8; 2]>()?.to_vec().into(),
        1 => input.arbitrary::<bool>()?.into(),
        2 => Timestamp::from_ticks(input.int_in_range(0..=Timestamp::MAX.ticks())?)
            .unwrap_or(Timestamp::MAX)
            .into(),
        3 => f64::from_bits(input.arbitrary()?).into(),
        4 => (*input.choose(&[
            -1.0,
            -0.0,
            0.0,
            0.5,
            1.0,
            9.007_199_254_740_993e15,
            f64::INFINITY,
            f64::NAN,
        ])?)
        .into(),
        5 => Uuid::from_u128(input.arbitrary()?).into(),
        6 => input.arbitrary::<i32>()?.into(),
        7 => input.arbitrary::<i64>()?.into(),
        8 => input.int_in_range(-2..=2_i32)?.into(),
        9 => input.int_in_range(-2..=2_i64)?.into(),
        _ => short(input, 2)?.into(),
    })
}

/// Returns an entity with some of the properties.
pub fn entity(input: &mut Unstructured<'_>) -> Result<Entity> {
    let mut entity = Entity::new(short(input, 2)?, short(input, 2)?);
    for name in &NAMES[2..] {
        if input.ratio(2, 3)? {
            entity = entity.with(*name, value(input)?);
        }
    }
    Ok(entity)
}

/// Returns the filter as a string, with only the parentheses that precedence requires.
pub fn text(filter: &Filter) -> String {
    let joined = |parts: &[Filter], word: &str, empty: &str| match parts {
        [] => empty.to_owned(),
        [only] => text(only),
        parts => parts.iter().map(|part| enclosed(part, word)).collect::<Vec<_>>().join(word),
    };
    match filter {
        Filter::Compare { property, operator, value } => format!("{property} {operator} {}", literal(value)),
        Filter::Flag(name) => name.to_string(),
        Filter::Constant(holds) => holds.to_string(),
        Filter::And(parts) => joined(parts, " and ", "true"),
        Filter::Or(parts) => joined(parts, " or ", "false"),
        Filter::Not(inner) => format!("not ({})", text(inner)),
        other => unreachable!("a form that no tree has: {other:?}"),
    }
}

fn enclosed(part: &Filter, word: &str) -> String {
    let printed = text(part);
    if word == " and " && printed.contains(" or ") { format!("({printed})") } else { printed }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Binary(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("X'{digits}'")
        }
        Value::Boolean(flag) => flag.to_string(),
        Value::DateTime(time) => format!("datetime'{}'", time.to_full_string()),
        Value::Double(number) if number.is_nan() => "NaN".to_owned(),
        Value::Double(number) if number.is_infinite() => {
            if *number > 0.0 { "INF" } else { "-INF" }.to_owned()
        }
        Value::Double(number) => format!("{number:?}"),
        Value::Guid(id) => format!("guid'{}'", id.hyphenated()),
        Value::Int32(number) => number.to_string(),
        Value::Int64(number) => format!("{number}L"),
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        other => unreachable!("a type that no tree has: {other:?}"),
    }
}

/// Returns `true` if the entity satisfies the filter according to the documentation.
pub fn satisfies(filter: &Filter, entity: &Entity) -> bool {
    match filter {
        Filter::Compare { property, operator, value } => {
            stored(entity, property).is_some_and(|stored| holds(*operator, stands(&stored, value)))
        }
        Filter::Flag(name) => stored(entity, name) == Some(Value::Boolean(true)),
        Filter::Constant(holds) => *holds,
        Filter::And(parts) => !parts.iter().any(|part| !satisfies(part, entity)),
        Filter::Or(parts) => parts.iter().filter(|part| satisfies(part, entity)).count() > 0,
        Filter::Not(inner) => !satisfies(inner, entity),
        other => unreachable!("a form that no tree has: {other:?}"),
    }
}

fn stored(entity: &Entity, name: &str) -> Option<Value> {
    match name {
        "PartitionKey" => Some(entity.partition_key.as_str().into()),
        "RowKey" => Some(entity.row_key.as_str().into()),
        _ => entity.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
    }
}

fn holds(operator: Comparison, ordering: Option<Ordering>) -> bool {
    let Some(ordering) = ordering else { return operator == Comparison::Ne };
    match operator {
        Comparison::Eq => ordering.is_eq(),
        Comparison::Ne => ordering.is_ne(),
        Comparison::Gt => ordering.is_gt(),
        Comparison::Ge => ordering.is_ge(),
        Comparison::Lt => ordering.is_lt(),
        Comparison::Le => ordering.is_le(),
    }
}

/// Compares a stored value with a literal. A narrower literal is widened, NaN is unordered, and values of different
/// types compare as less.
fn stands(stored: &Value, literal: &Value) -> Option<Ordering> {
    let whole = |value: &Value| match value {
        Value::Int32(number) => Some((1, i128::from(*number))),
        Value::Int64(number) => Some((2, i128::from(*number))),
        _ => None,
    };
    if let (Some((width, left)), Some((narrow, right))) = (whole(stored), whole(literal)) {
        return Some(if narrow <= width { left.cmp(&right) } else { Ordering::Less });
    }
    match (stored, literal) {
        (Value::Double(left), Value::Int32(right)) => left.partial_cmp(&f64::from(*right)),
        (Value::Double(left), Value::Int64(right)) => left.partial_cmp(&(*right as f64)),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Value::String(left), Value::String(right)) => Some(utf16_order(left, right)),
        (Value::Binary(left), Value::Binary(right)) => Some(left.cmp(right)),
        (Value::Boolean(left), Value::Boolean(right)) => Some(left.cmp(right)),
        (Value::DateTime(left), Value::DateTime(right)) => Some(left.ticks().cmp(&right.ticks())),
        (Value::Guid(left), Value::Guid(right)) => Some(left.as_u128().cmp(&right.as_u128())),
        _ => Some(Ordering::Less),
    }
}
