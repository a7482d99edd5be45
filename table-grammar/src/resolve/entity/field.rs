//! Resolved fields and their storage.

use syn::{Ident, Path, Type};
use table_schema::design::Stamp;

use crate::{
    resolve::{design, newtype::KeyTrait},
    types::{Named, TypeName, shown},
};

/// A resolved field.
#[derive(Debug)]
pub struct Field {
    /// The identifier.
    pub ident: Ident,
    /// The identifier without `r#`.
    pub name: String,
    /// The type as written.
    pub ty: Type,
    /// The trait that the key of the entity requires.
    pub key: Option<KeyTrait>,
    /// The trait that the key of the entity, or of an index, requires.
    pub hole: Option<KeyTrait>,
    /// The name of its property, wherever it is stored as one.
    pub property_name: String,
    /// `true` if functions accept it as `impl AsRef<str>`.
    pub is_string: bool,
    /// The storage.
    pub storage: Storage,
    /// `true` for an `Option`, which is stored as a missing property; for a series, `true` if its slots are optional.
    pub optional: bool,
    /// The type in the borrowed form of the entity.
    pub borrow: Borrow,
    /// The parameter type of a setter: the type of the field or of a slot, without its `Option`.
    pub inner: Type,
}

/// How the borrowed form of an entity contains a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borrow {
    /// `&str`.
    Text,
    /// `&[u8]`.
    Bytes,
    /// The type itself. A macro recognizes types by name, so this includes aliases of strings.
    Value,
}

/// The storage of a field.
#[derive(Debug)]
pub enum Storage {
    /// Only in the key.
    Key,
    /// In the key, and in a property with the same value.
    KeyAndProperty(Property),
    /// In a property.
    Property(Property),
    /// Not stored.
    Skipped,
}

/// A property.
#[derive(Debug)]
pub struct Property {
    /// The stored name.
    pub name: String,
    /// The stored name in the previous version, if it has another name or is declared to be the same.
    pub was: Option<String>,
    /// The content.
    pub form: Form,
    /// `true` if a missing property is read as the default value.
    pub or_default: bool,
    /// The function that returns the default value, unless it is that of the type.
    pub default_function: Option<Path>,
    /// `true` if the value is encrypted before it is stored.
    pub is_sealed: bool,
    /// `true` for an aggregated field: writes of the entity do not set it.
    pub is_fed: bool,
    /// The time that the library sets, if it sets the property.
    pub stamp: Option<Stamp>,
}

/// The content of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A value of its type.
    Plain,
    /// JSON text.
    Json,
    /// A value that may be in a blob. Values up to `inline` bytes are in the property.
    Blob {
        /// The maximum size of a value in the property.
        inline: usize,
    },
    /// A struct with a property for each field.
    Flattened,
    /// A series of slots, each in a separate property, with the number of slots if it is a literal.
    Series(Option<usize>),
}

impl Property {
    /// Returns the call of the function that returns the default value, as text.
    pub fn default_call(&self) -> Option<String> {
        self.default_function.as_ref().map(design::call)
    }
}

impl Field {
    /// Returns the type as a string, as written.
    pub fn rust_type(&self) -> String {
        shown(&self.ty)
    }

    /// Returns the type without its `Option` as a string, as written.
    pub fn inner_rust_type(&self) -> String {
        shown(&self.inner)
    }

    /// Returns the type of its template fields. An optional field occurs only in rows that exist because it is set.
    pub const fn hole_type(&self) -> &Type {
        if self.key.is_some() { &self.ty } else { &self.inner }
    }

    /// Returns `true` if the value may be in a blob.
    pub fn is_blob(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Blob { .. }))
    }

    /// Returns `true` if each slot is stored in a separate property.
    pub fn is_series(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Series(_)))
    }

    /// Returns `true` if each field of its struct is stored in a separate property.
    pub fn is_flattened(&self) -> bool {
        self.property().is_some_and(|property| property.form == Form::Flattened)
    }

    /// Returns `true` if the type as written, without its `Option`, does not determine the type of the values.
    pub fn is_opaque(&self) -> bool {
        TypeName::of(&self.inner).named == Named::Unknown
    }

    /// Returns `true` for an aggregated field that may be a copy of several fields: a macro cannot determine whether
    /// its type is a projection.
    pub fn may_be_copy(&self) -> bool {
        self.optional
            && self.property().is_some_and(|property| property.is_fed)
            && TypeName::of(&self.ty).named == Named::Unknown
    }

    /// Returns `true` if the field is, or may be, stored in several properties.
    pub fn has_slots(&self) -> bool {
        self.is_series() || self.is_flattened() || self.may_be_copy()
    }

    /// Returns the time that the library sets, if it sets the field.
    pub fn stamp(&self) -> Option<Stamp> {
        self.property()?.stamp
    }

    /// Returns the property of the field.
    pub const fn property(&self) -> Option<&Property> {
        match &self.storage {
            Storage::Property(property) | Storage::KeyAndProperty(property) => Some(property),
            Storage::Key | Storage::Skipped => None,
        }
    }
}
