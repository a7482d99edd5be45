//! Property values: conversions between Rust types and the eight EDM types.

#[cfg(feature = "bytes")]
mod bytes;
mod dates;
#[cfg(feature = "rust_decimal")]
mod decimal;
mod error;
mod number;
mod optional;
mod text;
mod times;

pub use error::ValueError;

use table_model::{EdmType, Value, ValueRef};
use table_schema::static_design::ValueKind;

/// A type that can be stored as a property.
///
/// | Rust | stored as |
/// |---|---|
/// | `bool` | Boolean |
/// | `i8` `i16` `i32` `u8` `u16` | Int32 |
/// | `i64` `u32`, `u64` up to `i64::MAX` | Int64 |
/// | `f32` `f64` | Double |
/// | `String` `Box<str>` `Cow<'static, str>` `char` | String |
/// | `Vec<u8>` `Box<[u8]>` `[u8; N]`, `bytes::Bytes` (feature `bytes`) | Binary |
/// | [`Uuid`](table_model::Uuid) | Guid |
/// | `rust_decimal::Decimal` (feature `rust_decimal`) | String with all digits, not for filters |
/// | [`Timestamp`](table_model::Timestamp) `SystemTime`, and the instants of `time`, `chrono`, `jiff` (features) | DateTime, in 100 ns |
/// | [`Date`](crate::Date), and the dates of `time`, `chrono`, `jiff` (features) | DateTime at 00:00Z |
/// | `Option<T>` | nothing when it is `None`: the service has no null |
///
/// Use `#[derive(TableValue)]` for field-less enums and newtypes. A manual implementation consists of two functions:
///
/// ```
/// use table_patterns::prelude::*;
/// use table_patterns::{EdmType, Value, ValueError};
///
/// /// Stored as text: `3.50`.
/// struct Price { cents: i64 }
///
/// impl TableValue for Price {
///     const TYPE: EdmType = EdmType::String;
///
///     fn to_value(&self) -> Result<Value, ValueError> {
///         Ok(format!("{}.{:02}", self.cents / 100, self.cents % 100).into())
///     }
///
///     fn from_value(value: Value) -> Result<Self, ValueError> {
///         let text = String::from_value(value)?;
///         let cents = text.replace('.', "").parse();
///         cents.map(|cents| Self { cents }).map_err(|_| ValueError::unreadable(text, "a price like 3.50"))
///     }
/// }
///
/// let price = Price { cents: 350 };
/// assert_eq!(price.to_value()?, Value::from("3.50"));
/// # Ok::<(), ValueError>(())
/// ```
///
/// Decoding is strict: a value of another type, or out of the type's range, is an error that names the property. Only
/// lossless conversions are allowed: an Int32 is also decoded as Int64 or Double, because other clients write integers
/// as Int32.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a table property",
    label = "not a property type",
    note = "property types: bool, i8 to i64, u8 to u64, f32, f64, String, Vec<u8>, Uuid, times and dates, and `Option` of these",
    note = "for a field-less enum or a newtype, add #[derive(TableValue)]; for a struct, or an enum with fields, add #[derive(TableFields)], and #[table(flatten)] to the field; for any type that serde can serialize, #[table(json)]"
)]
pub trait TableValue: Sized {
    /// EDM type of the stored value.
    const TYPE: EdmType;

    /// Encodes the value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the value has no stored form.
    fn to_value(&self) -> Result<Value, ValueError>;

    /// Decodes the value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the stored value has another type or is out of range.
    fn from_value(value: Value) -> Result<Self, ValueError>;

    /// Type of the values, which is more precise than their EDM type. Files that describe designs contain it.
    #[doc(hidden)]
    const KIND: ValueKind = kind_of(Self::TYPE);

    /// `true` if a property of this type may be absent.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// Encodes the value, or returns `None` for an absent property.
    #[doc(hidden)]
    fn put(&self) -> Result<Option<Value>, ValueError> {
        self.to_value().map(Some)
    }

    /// Decodes the value. The argument is `None` for an absent property.
    #[doc(hidden)]
    fn take(value: Option<Value>) -> Result<Self, ValueError> {
        value.map_or(Err(ValueError::Missing), Self::from_value)
    }

    /// Decodes a borrowed value like [`take`](Self::take). Types that need not own it first avoid a copy.
    #[doc(hidden)]
    fn take_ref(value: Option<ValueRef<'_>>) -> Result<Self, ValueError> {
        Self::take(value.map(|value| value.to_value()))
    }
}

/// Implements `take_ref` for the stored type that rows usually have. All others are converted by `take`.
macro_rules! takes_ref {
    ($variant:ident($value:ident) => $read:expr) => {
        #[inline]
        fn take_ref(
            value: Option<table_model::ValueRef<'_>>,
        ) -> Result<Self, $crate::core::value::ValueError> {
            match value {
                Some(table_model::ValueRef::$variant($value)) => $read,
                other => $crate::core::value::TableValue::take(other.map(|value| value.to_value())),
            }
        }
    };
}
use takes_ref;

/// Returns the type of all values of an EDM type.
const fn kind_of(edm: EdmType) -> ValueKind {
    match edm {
        EdmType::Binary => ValueKind::Binary,
        EdmType::Boolean => ValueKind::Bool,
        EdmType::DateTime => ValueKind::Time,
        EdmType::Double => ValueKind::Float { bits: 64 },
        EdmType::Guid => ValueKind::Guid,
        EdmType::Int32 => ValueKind::Int { bits: 32, signed: true },
        EdmType::Int64 => ValueKind::Int { bits: 64, signed: true },
        _ => ValueKind::Text,
    }
}

/// A property type that filters can compare.
///
/// `Field<String>` is compared with a `&str`, `Field<Option<i32>>` with an `i32`, all others with their own type.
#[diagnostic::on_unimplemented(
    message = "a property of type `{Self}` cannot be compared in a filter",
    label = "not supported in a filter",
    note = "add #[derive(TableValue)] to make the type comparable"
)]
pub trait Filterable: TableValue {
    /// Type of the compared value.
    type Literal<'a>;

    /// Encodes the compared value for a filter.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the value has no stored form.
    fn literal(literal: Self::Literal<'_>) -> Result<Value, ValueError>;
}

/// Implements `Filterable` for types that are compared with values of the same type.
macro_rules! compared_with_itself {
    ($($type:ty),* $(,)?) => {
        $(
            impl $crate::core::value::Filterable for $type {
                type Literal<'a> = Self;

                fn literal(literal: Self) -> Result<table_model::Value, $crate::core::value::ValueError> {
                    $crate::core::value::TableValue::to_value(&literal)
                }
            }
        )*
    };
}
use compared_with_itself;

/// Returns the error for a property with another type than requested.
fn mismatch<T: TableValue>(found: &Value) -> ValueError {
    ValueError::Type { expected: T::TYPE, found: found.edm_type() }
}
