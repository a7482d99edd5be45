//! The properties of an entity as values: how each is written and read, and what a filter can ask of it.

mod compare;
mod json;
mod key_field;
mod large;
mod sealed;
pub(crate) mod series;

pub use json::Json;
pub use key_field::KeyField;
pub use large::{BlobValue, Large};
pub use sealed::Sealed;
pub use series::{Series, Slots};

use std::{fmt, marker::PhantomData};

use table_store::Value;

use crate::{
    TableValue, ValueError,
    copied_fields::CopyIn,
    properties::{PropertyError, Reader, Writer},
};

/// One property of an entity: its stored name and type.
///
/// In a filter it is compared: `filter(|e| e.age.gt(30) & e.last_name.eq("Jones"))`. With the form [`Json`] it is JSON
/// text, which no filter can look into.
pub struct Field<T, Form = Plain> {
    name: &'static str,
    put: fn(&T) -> Result<Option<Value>, ValueError>,
    take: fn(Option<Value>) -> Result<T, ValueError>,
    /// The slot that was asked for, and how many there are: it is none of them.
    no_slot: Option<(usize, usize)>,
    /// It is opened when it is read.
    is_sealed: bool,
    /// It is no property of its own, but several that are copied from another entity.
    pub(crate) copy: Option<CopyIn<T>>,
    types: PhantomData<fn() -> (T, Form)>,
}

/// A property stored as its type's own EDM type.
#[derive(Debug)]
pub enum Plain {}

impl<T> Field<T> {
    /// The property stored as `name`. The one place where a field's type is asked to be a property type.
    #[doc(hidden)]
    pub const fn of(name: &'static str) -> Self
    where
        T: TableValue,
    {
        let (put, take) = (T::put, T::take);
        Self { name, put, take, no_slot: None, is_sealed: false, copy: None, types: PhantomData }
    }

    /// A slot that its series does not have: whatever is asked of it is an error.
    pub(crate) const fn without_slot(series: &'static str, no_slot: (usize, usize)) -> Self
    where
        T: TableValue,
    {
        Self { no_slot: Some(no_slot), ..Self::of(series) }
    }

    /// The same property; a row that lacks it gives the type's default: `#[table(default)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_default(self) -> Self
    where
        T: TableValue + Default,
    {
        Self { take: take_or_default::<T>, ..self }
    }
}

fn take_or_default<T: TableValue + Default>(value: Option<Value>) -> Result<T, ValueError> {
    value.map_or_else(|| Ok(T::default()), T::from_value)
}

impl<T, Form> Field<T, Form> {
    /// A property of a struct that has mistakes and does not compile: its type is asked for nothing.
    #[doc(hidden)]
    pub const fn unusable(name: &'static str) -> Self {
        Self {
            name,
            put: |_| Err(ValueError::Missing),
            take: |_| Err(ValueError::Missing),
            no_slot: None,
            is_sealed: false,
            copy: None,
            types: PhantomData,
        }
    }

    /// A field that is kept in several properties, which are read by `copy`.
    pub(crate) const fn of_copy(name: &'static str, copy: CopyIn<T>) -> Self {
        Self { copy: Some(copy), ..Self::unusable(name) }
    }

    /// The property's stored name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The property's stored name, as what a projection asks for.
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
        into.put(self.name, (self.put)(value))
    }

    /// The property's value; none where it is absent.
    pub(crate) fn value(&self, value: &T) -> Result<Option<Value>, PropertyError> {
        (self.put)(value).map_err(|why| PropertyError { property: self.name.into(), why })
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

    /// Reads a property that repeats a part of the key (`#[table(store)]`): where the row has it, it must say the same.
    #[doc(hidden)]
    pub fn same(&self, key: T, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        from.same(self.name, (self.put)(&key))?;
        Ok(key)
    }
}

impl<T, Form> fmt::Debug for Field<T, Form> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Field").field(&self.name).finish()
    }
}

/// Comparisons that only say why there are none; without them the compiler would talk of iterators.
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
use no_comparisons;
