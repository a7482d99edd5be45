//! Fields of an entity that are copied into the row of another: `#[table(copied_to(Department::manager))]`, where
//! `Department` has `manager: Option<Manager>`, and `Manager` is a projection.

pub mod names;
mod probe;

pub use probe::{Fed, OneValue};

use table_store::{Properties, Value};

use crate::{
    Field, Json, KeyField, Large, Projection, Sealed, Series, Slots, TableEntity, TableValue, ValueError,
    properties::{PropertyError, Reader},
};

/// A projection whose fields can be copied into the row of another entity: each is a property there. `derive(Projection)`
/// implements it where every field's type is a property type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied into another entity",
    label = "no projection of property types",
    note = "a copy is a projection, #[derive(Projection)], and each of its fields is one property"
)]
pub trait CopiedFields: Projection {
    /// What the names of its properties end with, field by field; none of a field that is not one readable property.
    #[doc(hidden)]
    const NAMES: &'static [Option<&'static str>];

    /// The values of its fields in an entity of this key whose own row has these properties.
    #[doc(hidden)]
    fn values(
        key: &<Self::Of as TableEntity>::Key,
        row: &Properties,
    ) -> Result<Vec<Option<Value>>, PropertyError>;

    /// Reads its fields from the properties of these names.
    #[doc(hidden)]
    fn take(names: &'static [&'static str], from: &mut Reader<'_>) -> Result<Self, PropertyError>;
}

/// How a field whose value is a copy is read: not from one property, but from several.
pub(crate) struct CopyIn<T> {
    /// The first says whose fields they are.
    names: &'static [&'static str],
    take: fn(&'static [&'static str], &mut Reader<'_>) -> Result<T, PropertyError>,
}

impl<T> Clone for CopyIn<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for CopyIn<T> {}

impl<T> CopyIn<T> {
    pub(crate) const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    pub(crate) fn take(&self, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        (self.take)(self.names, from)
    }
}

impl<P: CopiedFields> CopyIn<Option<P>> {
    const fn of(names: &'static [&'static str]) -> Self {
        Self { names, take: take::<P> }
    }
}

/// There is a copy where a row says whose.
fn take<P: CopiedFields>(
    names: &'static [&'static str],
    from: &mut Reader<'_>,
) -> Result<Option<P>, PropertyError> {
    let Some((marker, names)) = names.split_first() else { return Ok(None) };
    let whose = from.take(marker, <Option<String> as TableValue>::take)?;
    whose.map(|_| P::take(names, from)).transpose()
}

/// Reads one field of a copy.
pub fn take_one<T: TableValue>(
    names: &'static [&'static str],
    number: usize,
    from: &mut Reader<'_>,
) -> Result<T, PropertyError> {
    match names.get(number) {
        Some(name) => from.take(name, T::take),
        None => Err(PropertyError { property: "".into(), why: ValueError::Missing }),
    }
}

/// What a copy asks of a field.
impl<T> Field<T> {
    /// What the property's name ends with in a copy; none of one that others keep.
    #[doc(hidden)]
    pub const fn copied_as(&self, _field: &'static str) -> Option<&'static str> {
        if self.copy.is_some() { None } else { Some(self.name()) }
    }

    /// Its value in an entity whose own row has these properties.
    #[doc(hidden)]
    pub fn copied<K>(&self, _key: &K, row: &Properties) -> Result<Option<Value>, PropertyError> {
        Ok(row.get(self.name()).cloned())
    }
}

/// A part of a key is a property in a copy.
impl<K, T> KeyField<K, T> {
    /// It is named as the field.
    #[doc(hidden)]
    pub const fn copied_as(&self, field: &'static str) -> Option<&'static str> {
        Some(field)
    }

    /// Its value in an entity of this key.
    #[doc(hidden)]
    pub fn copied(&self, key: &K, _row: &Properties) -> Result<Option<Value>, PropertyError>
    where
        T: TableValue,
    {
        self.in_key(key).put().map_err(|why| PropertyError { property: "".into(), why })
    }
}

/// What is no single property that everybody can read is in no copy; that is asked while the program is compiled.
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
no_copies!(impl<T> Field<T, Sealed>);
no_copies!(impl<A: Slots> Series<A>);
no_copies!(impl<T> Large<T>);
