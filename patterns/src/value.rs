//! What a property can hold: Rust types and the eight EDM types.

#[cfg(feature = "bytes")]
mod bytes;
mod dates;
mod error;
mod number;
mod optional;
mod text;
mod times;

pub use error::ValueError;

use table_store::{EdmType, Value};

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
/// | [`Uuid`](table_store::Uuid) | Guid |
/// | [`Timestamp`](table_store::Timestamp) `SystemTime`, and the instants of `time`, `chrono`, `jiff` (features) | DateTime, in 100 ns |
/// | [`Date`](crate::Date), and the dates of `time`, `chrono`, `jiff` (features) | DateTime at 00:00Z |
/// | `Option<T>` | nothing when it is `None`: the service has no null |
///
/// Field-less enums and newtypes get it by `#[derive(TableValue)]`. By hand it is two functions:
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
/// Reading is strict: a value of another type, or out of the type's range, is an error that names the property. Only
/// what loses nothing is widened: an Int32 is read as Int64 or Double too, as other clients write whole numbers so.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a table property",
    label = "not a property type",
    note = "property types: bool, i8 to i64, u8 to u64, f32, f64, String, Vec<u8>, Uuid, times and dates, and `Option` of these",
    note = "for a field-less enum or a newtype of your own, add #[derive(TableValue)]; anything serde can write is stored with #[table(json)]"
)]
pub trait TableValue: Sized {
    /// The type that is stored.
    const TYPE: EdmType;

    /// The stored form. An error says why this value has none.
    fn to_value(&self) -> Result<Value, ValueError>;

    /// The value back from its stored form.
    fn from_value(value: Value) -> Result<Self, ValueError>;

    /// Whether a property of this type may be absent.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// What is written; nothing for an absent property.
    #[doc(hidden)]
    fn put(&self) -> Result<Option<Value>, ValueError> {
        self.to_value().map(Some)
    }

    /// What was read; nothing for an absent property.
    #[doc(hidden)]
    fn take(value: Option<Value>) -> Result<Self, ValueError> {
        value.map_or(Err(ValueError::Missing), Self::from_value)
    }
}

/// A property type that can stand in a filter: what a comparison takes.
///
/// `Field<String>` is compared with a `&str`, `Field<Option<i32>>` with an `i32`, all others with their own type.
#[diagnostic::on_unimplemented(
    message = "a property of type `{Self}` cannot be compared in a filter",
    label = "no filter on this type",
    note = "#[derive(TableValue)] makes a type comparable"
)]
pub trait Filterable: TableValue {
    /// What it is compared with.
    type Literal<'a>;

    /// The literal as the filter holds it.
    fn literal(literal: Self::Literal<'_>) -> Result<Value, ValueError>;
}

/// `Filterable` of types that are compared with themselves.
macro_rules! compared_with_itself {
    ($($type:ty),* $(,)?) => {
        $(
            impl $crate::value::Filterable for $type {
                type Literal<'a> = Self;

                fn literal(literal: Self) -> Result<table_store::Value, $crate::value::ValueError> {
                    $crate::value::TableValue::to_value(&literal)
                }
            }
        )*
    };
}
use compared_with_itself;

/// The error of a property that has another type than was asked for.
fn mismatch<T: TableValue>(found: &Value) -> ValueError {
    ValueError::Type { expected: T::TYPE, found: found.edm_type() }
}
