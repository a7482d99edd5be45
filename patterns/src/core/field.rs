//! The properties of an entity: encoding, decoding and filters.

mod compare;
pub(crate) mod copy_in;
mod json;
mod key_field;
mod large;
mod sealed;

pub use json::{Json, json_or};
pub use key_field::KeyField;
pub use large::{BlobValue, Large};
#[cfg(feature = "encryption")]
pub use sealed::Encrypted;
#[cfg(not(feature = "encryption"))]
pub(crate) use sealed::Encrypted;

use std::{any::type_name, fmt, marker::PhantomData};

use table_model::{Value, ValueRef};
use table_schema::static_design::{StoredType, ValueKind};

use crate::{
    TableValue, ValueError,
    core::{
        declared::default_text,
        error::property::PropertyError,
        field::copy_in::CopyIn,
        properties::{Reader, Writer},
    },
};

/// One property of an entity: its stored name and type.
///
/// Use it for comparisons in a filter: `filter(|e| e.age.gt(30) & e.last_name.eq("Jones"))`. With the form [`Json`] it
/// is stored as JSON text, which filters do not support.
pub struct Field<T, Form = Plain> {
    name: &'static str,
    put: fn(&T) -> Result<Option<Value>, ValueError>,
    take: fn(Option<ValueRef<'_>>) -> Result<T, ValueError>,
    /// Requested slot and number of slots, if the slot does not exist.
    no_slot: Option<(usize, usize)>,
    /// `true` if the value is decrypted when it is read.
    is_sealed: bool,
    /// Type of the values.
    kind: ValueKind,
    /// `true` if the type itself may be absent.
    is_optional: bool,
    /// Reader for a field that consists of several properties copied from another entity.
    pub(crate) copy: Option<CopyIn<T>>,
    types: PhantomData<fn() -> (T, Form)>,
}

/// A property stored as its type's EDM type.
#[derive(Debug)]
pub enum Plain {}

impl<T> Field<T> {
    /// Creates the property that is stored as `name`. This is the only function that requires the field's type to be a
    /// property type.
    #[doc(hidden)]
    pub const fn of(name: &'static str) -> Self
    where
        T: TableValue,
    {
        let (put, take) = (T::put, T::take_ref);
        Self { put, take, kind: T::KIND, is_optional: T::OPTIONAL, ..Self::unusable(name) }
    }

    /// Creates a field for a slot that does not exist in its series. Every use of it returns an error.
    pub(crate) const fn without_slot(series: &'static str, no_slot: (usize, usize)) -> Self
    where
        T: TableValue,
    {
        Self { no_slot: Some(no_slot), ..Self::of(series) }
    }

    /// Sets the type's default as the value of rows without the property: `#[table(default)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_default(self) -> Self
    where
        T: TableValue + Default,
    {
        Self { take: take_or_default::<T>, ..self }
    }
}

/// Reads a property, or calls `default` for a row without it.
///
/// # Errors
/// Returns an error if the value does not fit.
pub fn value_or<T: TableValue>(value: Option<ValueRef<'_>>, default: fn() -> T) -> Result<T, ValueError> {
    if value.is_none() { Ok(default()) } else { T::take_ref(value) }
}

pub(crate) fn take_or_default<T: TableValue + Default>(value: Option<ValueRef<'_>>) -> Result<T, ValueError> {
    value_or(value, T::default)
}

impl<T, Form> Field<T, Form> {
    /// Creates a property of a struct that has derive errors and does not compile, without requirements on its type.
    #[doc(hidden)]
    pub const fn unusable(name: &'static str) -> Self {
        Self {
            name,
            put: |_| Err(ValueError::Missing),
            take: |_| Err(ValueError::Missing),
            no_slot: None,
            is_sealed: false,
            kind: ValueKind::Text,
            is_optional: false,
            copy: None,
            types: PhantomData,
        }
    }

    /// Sets the function that reads the property: `#[table(default = function)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn read_by(self, take: fn(Option<ValueRef<'_>>) -> Result<T, ValueError>) -> Self {
        Self { take, ..self }
    }

    /// Creates a field that is stored in several properties, which `copy` reads.
    pub(crate) const fn of_copy(name: &'static str, copy: CopyIn<T>) -> Self {
        Self { copy: Some(copy), ..Self::unusable(name) }
    }

    /// Returns the stored name of the property.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the type of the property for the design.
    #[doc(hidden)]
    pub const fn stored_type(&self) -> StoredType {
        StoredType { name: self.name, kind: self.kind, optional: self.is_optional }
    }

    /// Returns the value of rows without the property, for the declaration of the design.
    #[doc(hidden)]
    pub fn default_text(&self) -> String {
        let default = (self.take)(None).and_then(|value| (self.put)(&value));
        default_text(default.ok().flatten())
    }

    /// Returns the stored name of the property, for the selection of a projection.
    #[doc(hidden)]
    pub const fn names(&'static self) -> &'static [&'static str] {
        match &self.copy {
            Some(copy) => copy.names(),
            None => std::slice::from_ref(&self.name),
        }
    }

    /// Writes the property.
    #[doc(hidden)]
    pub fn put(&self, value: &T, into: &mut Writer) -> Result<(), PropertyError> {
        into.put(self.name, self.encoded(value))
    }

    /// Returns the encoded value, or `None` if the property is not stored.
    pub(crate) fn value(&self, value: &T) -> Result<Option<Value>, PropertyError> {
        self.encoded(value).map_err(|reason| PropertyError { property: self.name.into(), reason })
    }

    /// Encodes the value. Errors of an encrypted property do not contain its value.
    fn encoded(&self, value: &T) -> Result<Option<Value>, ValueError> {
        let value = (self.put)(value);
        if self.is_sealed { value.map_err(|reason| reason.hidden(type_name::<T>(), None)) } else { value }
    }

    /// Reads the property.
    #[doc(hidden)]
    pub fn take(&self, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        if let Some(copy) = &self.copy {
            return copy.take(from);
        }
        if self.is_sealed { from.take_sealed(self.name, self.take) } else { from.take(self.name, self.take) }
    }

    /// Reads the property into a projection.
    #[doc(hidden)]
    pub fn project<K>(&self, _key: &K, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        self.take(from)
    }

    /// Reads a property that repeats a part of the key (`#[table(store)]`). If the row contains the property, it must
    /// be equal to the key part.
    #[doc(hidden)]
    pub fn same(&self, key: T, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        from.same(self.name, self.encoded(&key))?;
        Ok(key)
    }
}

impl<T, Form> fmt::Debug for Field<T, Form> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Field").field(&self.name).finish()
    }
}

/// Comparisons that exist only to report that they are not supported. Without them, the compiler would suggest the
/// methods of `Iterator`.
macro_rules! no_comparisons {
    (impl<$($parameter:ident $(: $on:path)?),*> $type:ty: $bound:ident) => {
        #[doc(hidden)]
        impl<$($parameter $(: $on)?),*> $type {
            no_comparisons!(@ $bound eq ne gt ge lt le in_range);
        }
    };
    (@ $bound:ident $($name:ident)*) => {
        $(
            pub fn $name<Literal>(&self, _literal: Literal) -> $crate::Predicate
            where
                Self: $bound,
            {
                $crate::Predicate::nothing()
            }
        )*
    };
}
pub(crate) use no_comparisons;
