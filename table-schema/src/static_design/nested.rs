//! Nested structs and enums in a design.

use super::{Design, Property, StoredType};

/// A field whose struct is stored as several properties of the entity: the [slots](Property::slots) of its property.
#[derive(Debug)]
pub struct NestedStruct {
    /// The name of the field.
    pub field: &'static str,
    /// The fields of the struct, in the order of the slots.
    pub properties: &'static [NestedProperty],
}

/// A field of a nested struct.
#[derive(Debug)]
pub struct NestedProperty {
    /// The name of the field in its struct.
    pub field: &'static str,
    /// The type of its values. The name is the suffix of the property name.
    pub stored: StoredType,
    /// `true` if the absence of the property means a default value.
    pub has_default: bool,
    /// The call of the function that returns the default, unless it is that of the type.
    pub default_function: Option<&'static str>,
    /// The tags of the variants that require the property: the first property of an enum contains the tag. Empty for a
    /// struct, and for a field that may be absent in each variant.
    pub required_in: &'static [&'static str],
}

impl NestedStruct {
    /// Returns the name of a field as a field of the entity: `address_city`.
    pub fn name_of(&self, inner: &NestedProperty) -> String {
        format!("{}_{}", self.field, inner.field)
    }
}

impl Design {
    /// Returns the struct that a property stores, if it stores several fields of one.
    pub fn nested_in(&self, property: &Property) -> Option<&'static NestedStruct> {
        self.nested.iter().find(|nested| nested.field == property.field)
    }

    /// Returns the names of the fields that a property stores, as a model contains them.
    pub fn field_names(&self, property: &Property) -> Vec<String> {
        match self.nested_in(property) {
            Some(nested) => nested.properties.iter().map(|inner| nested.name_of(inner)).collect(),
            None => vec![property.field.to_owned()],
        }
    }

    /// Returns the field of a nested struct that is stored as the property with this name.
    fn nested_property(&self, name: &str) -> Option<&'static NestedProperty> {
        self.properties.iter().find_map(|property| {
            let at = property.slots.iter().position(|slot| *slot == name)?;
            self.nested_in(property)?.properties.get(at)
        })
    }

    /// Returns whether the absence of a property means a default value.
    pub fn has_default(&self, property: &str) -> bool {
        self.defaults.contains(&property)
            || self.nested_property(property).is_some_and(|nested| nested.has_default)
    }

    /// Returns the call of the function that returns the default of a property.
    pub fn default_function(&self, property: &str) -> Option<String> {
        let function = self.default_functions.iter().find(|(name, _)| *name == property);
        let nested = || self.nested_property(property)?.default_function;
        function.map(|(_, call)| *call).or_else(nested).map(str::to_owned)
    }
}
