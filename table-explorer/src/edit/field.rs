//! A property in a form, with its value when the form was made.

use table_model::{EdmType, Value};

use super::typed::{Kind, decode, encode};

/// State of a property in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// The property does not exist.
    Absent,
    /// The property has this value.
    Value(Value),
    /// The form does not contain the value, because of its size.
    NotShown,
}

/// A property in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The property when the form was made.
    pub(crate) was: Stored,
}

impl Stored {
    /// Returns the state of a property that was read.
    pub(crate) fn of(value: Option<&Value>) -> Self {
        value.map_or(Self::Absent, |value| Self::Value(value.clone()))
    }

    /// Encodes the state for a hidden field.
    pub(crate) fn encoded(&self) -> String {
        match self {
            Self::Absent => encode(None),
            Self::Value(value) => encode(Some(value)),
            Self::NotShown => Kind::Stored.name().to_owned(),
        }
    }

    /// Decodes the state from a hidden field.
    pub(crate) fn decoded(text: &str) -> Option<Self> {
        if text == Kind::Stored.name() {
            return Some(Self::NotShown);
        }
        decode(text).ok().map(|value| Self::of(value.as_ref()))
    }

    /// Returns how the property is edited.
    fn edited(&self) -> (Kind, String) {
        match self {
            Self::Absent => (Kind::Absent, String::new()),
            Self::Value(value) => Kind::of(value),
            Self::NotShown => (Kind::Stored, String::new()),
        }
    }
}

impl Field {
    /// Creates a field that changes nothing.
    pub(crate) fn unchanged(name: impl Into<String>, was: Stored) -> Self {
        let (kind, text) = was.edited();
        Self { name: name.into(), kind, text, was }
    }

    /// Creates a field with another value than the original one.
    pub(crate) fn changed(name: impl Into<String>, was: Stored, to: &Stored) -> Self {
        let (kind, text) = to.edited();
        Self { name: name.into(), kind, text, was }
    }

    /// Parses the new state of the property.
    ///
    /// # Errors
    ///
    /// Returns the expected form if the string is not a value of the type.
    pub(crate) fn value(&self) -> Result<Stored, String> {
        if self.kind == Kind::Stored {
            return Ok(self.was.clone());
        }
        self.kind.parse(&self.text).map(|value| Stored::of(value.as_ref()))
    }

    /// Creates a field for a new property.
    pub(crate) const fn blank() -> Self {
        Self {
            name: String::new(),
            kind: Kind::Typed(EdmType::String),
            text: String::new(),
            was: Stored::Absent,
        }
    }

    /// Returns whether nothing was typed into a field for a new property.
    pub(crate) fn is_blank(&self) -> bool {
        self.name.is_empty() && self.text.is_empty() && self.was == Stored::Absent
    }
}
