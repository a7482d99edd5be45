//! Nested structs and enums whose fields are properties of an entity: `address: Address` as `address_street`,
//! `address_city` and so on.

mod patch;
mod probe;

pub use patch::{FieldsPatch, PatchedFields};
pub use probe::{NestedIn, NotNested};

use std::{any::Any, fmt, ops::Deref};

use table_schema::static_design::NestedProperty;

use crate::{
    ValueError,
    core::{
        error::property::PropertyError,
        field::no_comparisons,
        properties::{Reader, Writer},
    },
};

/// A struct or an enum whose fields an entity stores as its own properties, with `#[table(flatten)]`. Implemented by
/// `#[derive(TableFields)]`.
///
/// ```
/// use table_patterns::prelude::*;
///
/// #[derive(TableFields, Clone, Debug)]
/// struct Address {
///     street: String,
///     city: String,
/// }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Customers", partition = "{region}", row = "{id:06}")]
/// struct Customer {
///     region: String,
///     id: u32,
///     #[table(flatten)]
///     address: Address,
/// }
///
/// let in_bonn = Customer::scan_partition("eu").filter(|e| e.address.city.eq("Bonn"));
/// assert!(in_bonn.explain()?.filter.is_some_and(|filter| filter.to_string().contains("address_city eq 'Bonn'")));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be stored as properties",
    label = "not a struct or an enum with #[derive(TableFields)]",
    note = "add #[derive(TableFields)] to the type, or store it as JSON text: #[table(json)]"
)]
pub trait TableFields: Sized + 'static {
    /// Type of the property descriptors for filters.
    type Fields: Send + Sync + 'static;

    /// Suffixes of the property names, in field order.
    #[doc(hidden)]
    const NAMES: &'static [Option<&'static str>];

    /// The properties, for the design of an entity.
    #[doc(hidden)]
    const PROPERTIES: &'static [NestedProperty];

    /// Descriptors with the suffixes as names.
    #[doc(hidden)]
    const SUFFIXES: &'static Self::Fields;

    /// Writes the properties, in field order.
    #[doc(hidden)]
    fn put(&self, fields: &Self::Fields, into: &mut Writer) -> Result<(), PropertyError>;

    /// Reads the properties, in field order.
    #[doc(hidden)]
    fn take(fields: &Self::Fields, from: &mut Reader<'_>) -> Result<Self, PropertyError>;
}

/// The property names of a flattened field. Generated code implements it for a type of its own, since a descriptor in
/// a constant cannot have the names as an argument.
#[doc(hidden)]
pub trait PropertyNames {
    const NAMES: &'static [&'static str];
}

/// The property descriptors of a struct under the names of a flattened field.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be stored as properties",
    label = "not a struct or an enum with #[derive(TableFields)]",
    note = "add #[derive(TableFields)] to the type, or store it as JSON text: #[table(json)]"
)]
pub trait FieldsAt<P: PropertyNames>: TableFields {
    const FIELDS: &'static Self::Fields;
}

/// Returns one of the names.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time: there is a name for each field")]
pub const fn name_at<P: PropertyNames>(number: usize) -> &'static str {
    P::NAMES[number]
}

/// A nested struct of an entity, `#[table(flatten)]`. It dereferences to the descriptors of its properties, so that a
/// filter compares one of them: `filter(|e| e.address.city.eq("Bonn"))`.
pub struct Flattened<T> {
    names: &'static [&'static str],
    put: fn(&T, &mut Writer) -> Result<(), PropertyError>,
    take: fn(&mut Reader<'_>) -> Result<T, PropertyError>,
    /// The descriptors, without their type: the struct has no bound, so that a type without the derive is one error.
    fields: &'static (dyn Any + Send + Sync),
}

impl<T> Flattened<T> {
    /// Creates the descriptor of the field with these names. This is the only function that requires the field's type to
    /// be a nested struct.
    #[doc(hidden)]
    pub const fn of<P: PropertyNames>() -> Self
    where
        T: FieldsAt<P>,
    {
        Self { names: P::NAMES, put: put::<T, P>, take: take::<T, P>, fields: T::FIELDS }
    }

    /// Returns the stored names, in field order.
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// Writes the properties.
    #[doc(hidden)]
    pub fn put(&self, value: &T, into: &mut Writer) -> Result<(), PropertyError> {
        (self.put)(value, into)
    }

    /// Reads the properties.
    #[doc(hidden)]
    pub fn take(&self, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        (self.take)(from)
    }

    /// Reads the properties into a projection.
    #[doc(hidden)]
    pub fn project<K>(&self, _key: &K, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        self.take(from)
    }
}

fn put<T: FieldsAt<P>, P: PropertyNames>(value: &T, into: &mut Writer) -> Result<(), PropertyError> {
    value.put(T::FIELDS, into)
}

fn take<T: FieldsAt<P>, P: PropertyNames>(from: &mut Reader<'_>) -> Result<T, PropertyError> {
    T::take(T::FIELDS, from).map_err(|error| {
        let at = P::NAMES.iter().position(|name| *name == error.property.as_ref());
        let is_tagged = T::PROPERTIES.iter().any(|property| !property.required_in.is_empty());
        let property = at.and_then(|at| T::PROPERTIES.get(at).map(|property| (at, property)));
        let is_required =
            property.is_some_and(|(at, property)| at == 0 && is_tagged || !property.required_in.is_empty());
        match error.reason {
            // A row without it has no variant, so neither an optional field nor a default is a remedy.
            ValueError::Missing if is_required => {
                PropertyError { reason: ValueError::MissingInEnum, ..error }
            }
            _ => error,
        }
    })
}

impl<T: TableFields> Flattened<T> {
    /// Returns the descriptors.
    fn fields(&self) -> &'static T::Fields {
        // `of` has set the descriptors of this type.
        self.fields.downcast_ref().unwrap_or(T::SUFFIXES)
    }
}

impl<T: TableFields> Deref for Flattened<T> {
    type Target = T::Fields;

    fn deref(&self) -> &T::Fields {
        self.fields()
    }
}

impl<T> fmt::Debug for Flattened<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Flattened").field(&self.names).finish()
    }
}

no_comparisons!(impl<T> Flattened<T>: OneProperty);

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a nested struct consists of several properties, but a filter compares a single property",
    label = "no field specified",
    note = "compare one of its fields: `e.address.city.eq(\"Bonn\")`"
)]
pub trait OneProperty {}

/// Creates a constant with the names of the properties of a nested struct. Generated code is
/// `__flattened!("address", Address)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __flattened {
    ($field:literal, $ty:ty) => {
        const {
            #[allow(unused_imports)]
            use $crate::__private::NotNested as _;
            $crate::__joined!($crate::__private::JoinedNames::flattened(
                $field,
                <$crate::__private::NestedIn<$ty>>::NAMES
            ))
        }
    };
}
