//! Denormalized fields: fields of an entity that are copied into the row of another entity with
//! `#[table(copied_to(Department::manager))]`, where `Department` has `manager: Option<Manager>`, and `Manager` is a
//! projection.

mod probe;

pub use probe::{Fed, OneValue};

use table_model::{Properties, Value};

use crate::{
    Field, Flattened, Json, KeyField, Large, Projection, Series, Slots, TableEntity, TableValue, ValueError,
    core::{
        error::property::PropertyError,
        field::{Encrypted, copy_in::CopyIn},
        properties::Reader,
    },
};

/// A projection whose fields can be copied into the row of another entity, where each field is a property.
/// `derive(Projection)` implements it if the type of every field is a property type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied into another entity",
    label = "not a projection of property types",
    note = "a copied field is a projection, #[derive(Projection)], in which each field is a single property"
)]
pub trait CopiedFields: Projection {
    /// Suffixes of the property names, field by field. `None` for a field that is not a single readable property.
    #[doc(hidden)]
    const NAMES: &'static [Option<&'static str>];

    /// Returns the values of the fields, from the entity's key and the properties of its row.
    #[doc(hidden)]
    fn values(
        key: &<Self::Of as TableEntity>::Key,
        row: &Properties,
    ) -> Result<Vec<Option<Value>>, PropertyError>;

    /// Reads the fields from the properties with these names.
    #[doc(hidden)]
    fn take(names: &'static [&'static str], from: &mut Reader<'_>) -> Result<Self, PropertyError>;
}

impl<P: CopiedFields> CopyIn<Option<P>> {
    const fn of(names: &'static [&'static str]) -> Self {
        Self { names, take: take::<P> }
    }
}

/// A copy exists if the row identifies its source entity.
fn take<P: CopiedFields>(
    names: &'static [&'static str],
    from: &mut Reader<'_>,
) -> Result<Option<P>, PropertyError> {
    let Some((marker, names)) = names.split_first() else { return Ok(None) };
    let whose = from.take(marker, <Option<String> as TableValue>::take_ref)?;
    whose.map(|_| P::take(names, from)).transpose()
}

/// Reads one field of a copy.
///
/// # Errors
/// Returns an error if the property has another type.
pub fn take_one<T: TableValue>(
    names: &'static [&'static str],
    number: usize,
    from: &mut Reader<'_>,
) -> Result<T, PropertyError> {
    match names.get(number) {
        Some(name) => from.take(name, T::take_ref),
        None => Err(PropertyError { property: "".into(), reason: ValueError::Missing }),
    }
}

/// Field methods for copies.
impl<T> Field<T> {
    /// Returns the suffix of the property name in a copy, or `None` for a field that is a copy itself.
    #[doc(hidden)]
    pub const fn copied_as(&self, _field: &'static str) -> Option<&'static str> {
        if self.copy.is_some() { None } else { Some(self.name()) }
    }

    /// Returns the field's value from the properties of the entity's row.
    #[doc(hidden)]
    pub fn copied<K>(&self, _key: &K, row: &Properties) -> Result<Option<Value>, PropertyError> {
        Ok(row.get(self.name()).cloned())
    }
}

/// A key part is stored as a property of the copy.
impl<K, T> KeyField<K, T> {
    /// Returns the field name, which is the suffix of the property name.
    #[doc(hidden)]
    pub const fn copied_as(&self, field: &'static str) -> Option<&'static str> {
        Some(field)
    }

    /// Returns the field's value from the entity's key.
    #[doc(hidden)]
    pub fn copied(&self, key: &K, _row: &Properties) -> Result<Option<Value>, PropertyError>
    where
        T: TableValue,
    {
        self.in_key(key).put().map_err(|reason| PropertyError { property: "".into(), reason })
    }
}

/// Fields that are not a single readable property cannot be copied. The derive checks this at compile time.
macro_rules! no_copies {
    (impl<$parameter:ident $(: $on:ident)?> $field:ty) => {
        #[doc(hidden)]
        impl<$parameter $(: $on)?> $field {
            pub const fn copied_as(&self, _field: &'static str) -> Option<&'static str> {
                None
            }

            pub const fn copied<K>(
                &self,
                _key: &K,
                _row: &Properties,
            ) -> Result<Option<Value>, PropertyError> {
                Ok(None)
            }
        }
    };
}
no_copies!(impl<T> Field<T, Json>);
no_copies!(impl<T> Field<T, Encrypted>);
no_copies!(impl<A: Slots> Series<A>);
no_copies!(impl<T> Large<T>);
no_copies!(impl<T> Flattened<T>);
