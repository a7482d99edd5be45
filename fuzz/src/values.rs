//! Values for template fields, and their order.

use arbitrary::{Result, Unstructured};
use std::cmp::Ordering;
use table_schema::{
    key::{KeyValue, MAX_TICKS},
    template::{OrdNumber, Shape},
};

use crate::texts::{short, utf16_order};

/// Returns a value for a template field of this shape, usually a valid one.
pub fn of(shape: Shape, input: &mut Unstructured<'_>) -> Result<KeyValue<'static>> {
    Ok(match shape.ascending() {
        Shape::Text | Shape::Esc => short(input, 4)?.into(),
        Shape::Padded(width) => match input.int_in_range(0..=3)? {
            0 => KeyValue::Signed(input.arbitrary()?),
            1 => KeyValue::Unsigned(input.arbitrary()?),
            _ => KeyValue::Unsigned(input.arbitrary::<u128>()? % 10_u128.saturating_pow(width.into())),
        },
        Shape::Ord(Some(OrdNumber::F32 | OrdNumber::F64)) if input.ratio(1, 3)? => {
            let edge = *input.choose(&[-0.0, 0.0, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN])?;
            if shape.ascending() == Shape::Ord(Some(OrdNumber::F32)) {
                edge.into()
            } else {
                f64::from(edge).into()
            }
        }
        Shape::Ord(Some(OrdNumber::F32)) => f32::from_bits(input.arbitrary()?).into(),
        Shape::Ord(Some(OrdNumber::F64)) => f64::from_bits(input.arbitrary()?).into(),
        Shape::Ord(number) => {
            let bits = number.map_or(64, OrdNumber::bits);
            let wide = i128::from(input.arbitrary::<i64>()?);
            KeyValue::Signed(if input.ratio(4, 5)? { wide >> (64 - bits) } else { wide * 3 })
        }
        Shape::Guid | Shape::Guidn => KeyValue::Guid(input.arbitrary()?),
        Shape::Flag => input.arbitrary::<bool>()?.into(),
        // The times.
        _ => KeyValue::Ticks(input.int_in_range(-1..=MAX_TICKS + 1)?),
    })
}

/// Returns the order of two values of one field, or `None` if they are unordered.
pub fn order(left: &KeyValue<'_>, right: &KeyValue<'_>) -> Option<Ordering> {
    match (left, right) {
        (KeyValue::Text(left), KeyValue::Text(right)) => Some(utf16_order(left, right)),
        (KeyValue::Float32(left), KeyValue::Float32(right)) => left.partial_cmp(right),
        (KeyValue::Float64(left), KeyValue::Float64(right)) => left.partial_cmp(right),
        (KeyValue::Ticks(left), KeyValue::Ticks(right)) => Some(left.cmp(right)),
        (KeyValue::Guid(left), KeyValue::Guid(right)) => Some(left.cmp(right)),
        (KeyValue::Flag(left), KeyValue::Flag(right)) => Some(left.cmp(right)),
        _ => Some(whole(left)?.cmp(&whole(right)?)),
    }
}

/// Returns an integer as its reversed distance below zero and its magnitude.
fn whole(value: &KeyValue<'_>) -> Option<(std::cmp::Reverse<u128>, u128)> {
    match value {
        KeyValue::Unsigned(number) => Some((std::cmp::Reverse(0), *number)),
        KeyValue::Signed(number) if *number < 0 => Some((std::cmp::Reverse(number.unsigned_abs()), 0)),
        KeyValue::Signed(number) => Some((std::cmp::Reverse(0), number.unsigned_abs())),
        _ => None,
    }
}
