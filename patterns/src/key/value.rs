//! What generated code passes for the holes of a key.

use table_schema::key::KeyValue;

use super::{Flag, Id, Num, Text, Time};
use crate::ValueError;

/// The value of a hole. An error is reported later, with the field's name.
pub type HoleValue<'a> = Result<KeyValue<'a>, ValueError>;

/// A text argument of a query function.
pub fn str(value: &str) -> HoleValue<'_> {
    Ok(KeyValue::from(value))
}

/// A value for `{x}` and `{x:esc}`.
pub fn text<T: Text>(value: &T) -> HoleValue<'_> {
    Ok(KeyValue::Text(value.to_text()))
}

/// A value for `{x:06}` and `{x:ord}`.
pub fn num<T: Num>(value: &T) -> HoleValue<'static> {
    Ok(value.to_number())
}

/// A value for `{x:ticks}`, `{x:inverted_ticks}`, `{x:%Y%m%d}`.
pub fn time<T: Time>(value: &T) -> HoleValue<'static> {
    value.to_ticks().map(KeyValue::Ticks)
}

/// A value for `{x:guid}` and `{x:guidn}`.
pub fn id<T: Id>(value: &T) -> HoleValue<'static> {
    Ok(KeyValue::Guid(value.to_guid()))
}

/// A value for `{x:bool}`.
pub fn flag<T: Flag>(value: &T) -> HoleValue<'static> {
    Ok(KeyValue::Flag(value.to_flag()))
}
