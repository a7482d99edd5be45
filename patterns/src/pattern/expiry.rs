//! Entities that expire: `#[table(expires = ends)]`.

use table_model::{EdmType, Timestamp, Value};
use table_schema::static_design::ValueKind;

use crate::{
    Error, Field, TableEntity, TableValue,
    core::error::{PropertyValueError, property::PropertyError},
};

/// An entity type whose entities expire, `#[table(expires = field)]`. Implemented by the derive.
///
/// [`Tables::expire`](crate::Tables::expire) deletes expired entities. Until then, queries return them.
#[diagnostic::on_unimplemented(
    message = "entities of `{Self}` do not expire",
    label = "has no time at which its entities expire",
    note = "add #[table(expires = field)] to the struct, with the field that contains the time"
)]
pub trait Expires: TableEntity {
    /// Returns the time at which the entity expires, or `None` if it does not.
    fn expires_at(&self) -> Option<Timestamp>;

    /// Returns whether the entity has expired at a time.
    fn is_expired(&self, at: Timestamp) -> bool {
        self.expires_at().is_some_and(|end| end <= at)
    }
}

/// Returns the time in a field. A value that cannot be stored is no time.
pub fn time_of<T>(field: &Field<T>, value: &T) -> Option<Timestamp> {
    match field.value(value) {
        Ok(Some(Value::DateTime(time))) => Some(time),
        _ => None,
    }
}

/// Returns whether values of a type are stored as points in time.
pub const fn is_time<T: TableValue>() -> bool {
    matches!(T::TYPE, EdmType::DateTime) && !matches!(T::KIND, ValueKind::Date)
}

/// Sets the time in a field, or removes it.
///
/// # Errors
/// Returns an error if the type of the field cannot contain the time.
pub fn set_time<E: TableEntity, T: TableValue>(
    field: &Field<T>,
    value: &mut T,
    at: Option<Timestamp>,
) -> Result<(), Error> {
    *value = T::take(at.map(Value::DateTime)).map_err(|reason| {
        PropertyValueError::new(E::DESIGN.name, PropertyError { property: field.name().into(), reason })
    })?;
    Ok(())
}
