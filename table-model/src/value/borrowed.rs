use super::{EdmType, Value};
use crate::{Timestamp, Uuid};

/// A [`Value`] that borrows its bytes or string, so that stored values can be read without copying.
///
/// `==` compares like [`Value`]: type and content, doubles bit by bit.
///
/// ```
/// use table_model::{Value, value::ValueRef};
///
/// let value = Value::from("Jo");
/// assert_eq!(value.as_ref(), ValueRef::String("Jo"));
/// assert_eq!(value.as_ref().to_value(), value);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ValueRef<'a> {
    /// `Edm.Binary`.
    Binary(&'a [u8]),
    /// `Edm.Boolean`.
    Boolean(bool),
    /// `Edm.DateTime`.
    DateTime(Timestamp),
    /// `Edm.Double`.
    Double(f64),
    /// `Edm.Guid`.
    Guid(Uuid),
    /// `Edm.Int32`.
    Int32(i32),
    /// `Edm.Int64`.
    Int64(i64),
    /// `Edm.String`.
    String(&'a str),
}

impl ValueRef<'_> {
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

    /// Converts to an owned value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match *self {
            Self::Binary(bytes) => Value::Binary(bytes.to_vec()),
            Self::Boolean(flag) => Value::Boolean(flag),
            Self::DateTime(time) => Value::DateTime(time),
            Self::Double(number) => Value::Double(number),
            Self::Guid(id) => Value::Guid(id),
            Self::Int32(number) => Value::Int32(number),
            Self::Int64(number) => Value::Int64(number),
            Self::String(text) => Value::String(text.to_owned()),
        }
    }
}

impl PartialEq for ValueRef<'_> {
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

impl Eq for ValueRef<'_> {}

impl Value {
    /// Borrows the value.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Binary(bytes) => ValueRef::Binary(bytes),
            Self::Boolean(flag) => ValueRef::Boolean(*flag),
            Self::DateTime(time) => ValueRef::DateTime(*time),
            Self::Double(number) => ValueRef::Double(*number),
            Self::Guid(id) => ValueRef::Guid(*id),
            Self::Int32(number) => ValueRef::Int32(*number),
            Self::Int64(number) => ValueRef::Int64(*number),
            Self::String(text) => ValueRef::String(text),
        }
    }
}

impl<'a> From<&'a Value> for ValueRef<'a> {
    fn from(value: &'a Value) -> Self {
        value.as_ref()
    }
}
