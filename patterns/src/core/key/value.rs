//! Values of template fields, as passed by generated code.

use table_schema::key::KeyValue;

use super::{Flag, Id, Num, Text, Time};
use crate::ValueError;

/// Value of a template field. An error is reported later, with the name of the field.
pub type FieldValue<'a> = Result<KeyValue<'a>, ValueError>;

/// Converts a string argument of a query function.
///
/// # Errors
/// Does not fail. The type is that of [`time`], so that generated code treats all fields alike.
pub fn str(value: &str) -> FieldValue<'_> {
    Ok(KeyValue::from(value))
}

/// Converts a value for `{x}` and `{x:esc}`.
///
/// # Errors
/// Does not fail. The type is that of [`time`], so that generated code treats all fields alike.
pub fn text<T: Text>(value: &T) -> FieldValue<'_> {
    Ok(KeyValue::Text(value.to_text()))
}

/// Converts a value for `{x:06}` and `{x:ord}`.
///
/// # Errors
/// Does not fail. The type is that of [`time`], so that generated code treats all fields alike.
pub fn num<T: Num>(value: &T) -> FieldValue<'static> {
    Ok(value.to_number())
}

/// Converts a value for `{x:ticks}`, `{x:inverted_ticks}` and `{x:%Y%m%d}`.
///
/// # Errors
/// Fails if the time is out of range.
pub fn time<T: Time>(value: &T) -> FieldValue<'static> {
    value.to_ticks().map(KeyValue::Ticks)
}

/// Converts a value for `{x:guid}` and `{x:guidn}`.
///
/// # Errors
/// Does not fail. The type is that of [`time`], so that generated code treats all fields alike.
pub fn id<T: Id>(value: &T) -> FieldValue<'static> {
    Ok(KeyValue::Guid(value.to_guid()))
}

/// Converts a value for `{x:bool}`.
///
/// # Errors
/// Does not fail. The type is that of [`time`], so that generated code treats all fields alike.
pub fn flag<T: Flag>(value: &T) -> FieldValue<'static> {
    Ok(KeyValue::Flag(value.to_flag()))
}
