//! The fields of nested structs and enums in a design.

use super::StoredType;

/// A field of a nested struct, which an entity stores as a property of its own; see
/// [`EntityDesign::flatten`](crate::design::EntityDesign::flatten).
#[derive(Debug)]
pub struct NestedProperty {
    /// The name of the field in its struct.
    pub field: &'static str,
    /// The type of its values. The name is the suffix of the property name.
    pub stored: StoredType,
    /// The maximum length of text.
    pub max: Option<usize>,
    /// `true` if the absence of the property means a default value.
    pub has_default: bool,
    /// The call of the function that returns the default, unless it is that of the type.
    pub default_function: Option<&'static str>,
    /// The tags of the variants that require the property: the first property of an enum contains the tag. Empty for a
    /// struct, and for a field that may be absent in each variant.
    pub required_in: &'static [&'static str],
}
