//! Compile-time selection for a type that may lack `derive(TableFields)`. The missing derive is reported where the
//! descriptor of the field is created; here, such a type has no properties, so that it is reported once. The inherent
//! items take precedence over those of the trait.

use std::marker::PhantomData;

use table_schema::static_design::NestedProperty;

use super::TableFields;

/// The properties of a flattened field of type `T`.
#[derive(Debug)]
pub struct NestedIn<T>(PhantomData<T>);

impl<T: TableFields> NestedIn<T> {
    /// Suffixes of the property names.
    pub const NAMES: &'static [Option<&'static str>] = T::NAMES;
    /// The properties, for the design.
    pub const PROPERTIES: &'static [NestedProperty] = T::PROPERTIES;
}

/// A type without `derive(TableFields)`.
pub trait NotNested {
    /// No names.
    const NAMES: &'static [Option<&'static str>] = &[];
    /// No properties.
    const PROPERTIES: &'static [NestedProperty] = &[];
}

impl<T> NotNested for NestedIn<T> {}
