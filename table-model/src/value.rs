//! Property values of the eight EDM types.

mod borrowed;
mod compare;
mod convert;

pub use borrowed::ValueRef;

use std::fmt;

use crate::{Timestamp, Uuid};

/// Value of a property. Each variant is one EDM type of the service. There is no null: a null property is absent.
///
/// `==` compares type and content. It compares doubles bit by bit, so NaN equals itself and a stored value always
/// equals the value that was written.
///
/// ```
/// use table_model::{EdmType, Value};
///
/// assert_eq!(Value::from(34).edm_type(), EdmType::Int32);
/// assert_ne!(Value::from(34), Value::from(34_i64));
/// assert_eq!(Value::from("Jo").size(), 8);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// `Edm.Binary`, up to 64 KiB.
    Binary(Vec<u8>),
    /// `Edm.Boolean`.
    Boolean(bool),
    /// `Edm.DateTime`, from the year 1601, with a resolution of 100 ns.
    DateTime(Timestamp),
    /// `Edm.Double`. NaN and the infinities are allowed.
    Double(f64),
    /// `Edm.Guid`.
    Guid(Uuid),
    /// `Edm.Int32`.
    Int32(i32),
    /// `Edm.Int64`.
    Int64(i64),
    /// `Edm.String`, up to 32,768 UTF-16 units.
    String(String),
}

/// EDM type of a value.
///
/// ```
/// use table_model::EdmType;
///
/// assert_eq!(EdmType::Int64.to_string(), "Edm.Int64");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EdmType {
    Binary,
    Boolean,
    DateTime,
    Double,
    Guid,
    Int32,
    Int64,
    String,
}

impl EdmType {
    /// All eight types.
    pub const ALL: [Self; 8] = [
        Self::Binary,
        Self::Boolean,
        Self::DateTime,
        Self::Double,
        Self::Guid,
        Self::Int32,
        Self::Int64,
        Self::String,
    ];

    /// Returns the type name used on the wire, such as `Edm.Int32`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "Edm.Binary",
            Self::Boolean => "Edm.Boolean",
            Self::DateTime => "Edm.DateTime",
            Self::Double => "Edm.Double",
            Self::Guid => "Edm.Guid",
            Self::Int32 => "Edm.Int32",
            Self::Int64 => "Edm.Int64",
            Self::String => "Edm.String",
        }
    }
}

impl fmt::Display for EdmType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Value {
    /// Returns the EDM type of the value.
    #[must_use]
    pub const fn edm_type(&self) -> EdmType {
        match self {
            Self::Binary(_) => EdmType::Binary,
            Self::Boolean(_) => EdmType::Boolean,
            Self::DateTime(_) => EdmType::DateTime,
            Self::Double(_) => EdmType::Double,
            Self::Guid(_) => EdmType::Guid,
            Self::Int32(_) => EdmType::Int32,
            Self::Int64(_) => EdmType::Int64,
            Self::String(_) => EdmType::String,
        }
    }

    /// Returns the number of bytes that the value contributes to the size of its entity, by the documented formula.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size_by(crate::key::utf16_units)
    }

    /// Returns the size with another count of the units of a string.
    pub(crate) fn size_by(&self, units: impl Fn(&str) -> usize) -> usize {
        match self {
            Self::Binary(bytes) => bytes.len() + 4,
            Self::Boolean(_) => 1,
            Self::DateTime(_) | Self::Double(_) | Self::Int64(_) => 8,
            Self::Guid(_) => 16,
            Self::Int32(_) => 4,
            Self::String(text) => 2 * units(text) + 4,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::DateTime(a), Self::DateTime(b)) => a == b,
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Guid(a), Self::Guid(b)) => a == b,
            (Self::Int32(a), Self::Int32(b)) => a == b,
            (Self::Int64(a), Self::Int64(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}
