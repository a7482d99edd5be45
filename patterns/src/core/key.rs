//! Key encoding traits.
//!
//! The format of a template field determines its encoding, and which of five traits the field's type must implement:
//! [`Text`] for `{name}` and `{name:esc}`, [`Num`] for `{id:06}` and `{id:ord}`, [`Time`] for `{at:ticks}`,
//! `{at:inverted_ticks}` and `{at:%Y%m%d}`, [`Id`] for `{id:guid}`, [`Flag`] for `{on:bool}`. A format of
//! numbers or times with the prefix `inverted_` sorts in descending order.

mod codec;
pub(crate) mod hole;
mod number;
pub mod part;
mod plain;
mod reader;
pub(crate) mod value;

pub use codec::{EntityKeyError, EntityKeyErrorKind};
pub(crate) use codec::{PART, encode};
pub use reader::KeyReader;
pub(crate) use reader::PartitionFields;
pub use table_schema::key::{KeyError, KeyRule, KeyValue};

use std::borrow::Cow;

use table_schema::static_design::ValueKind;

use crate::ValueError;

/// A type that is encoded as a string: `{name}`, `{name:esc}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as text in a key",
    label = "not text",
    note = "numbers: `{{id:06}}` or `{{id:ord}}`; times: `{{at:ticks}}`, `{{at:inverted_ticks}}` or `{{at:%Y%m%d}}`; ids: `{{id:guid}}`",
    note = "for an enum or a newtype, add #[derive(KeyPart)]"
)]
pub trait Text: Sized {
    /// Type of the values, for designs. `None` if only the program knows it.
    #[doc(hidden)]
    const KIND: Option<ValueKind> = None;

    /// Returns the string. Characters that are invalid in a key are rejected when the key is written.
    fn to_text(&self) -> Cow<'_, str>;

    /// Parses the string.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the string is not a valid value.
    fn from_text(text: &str) -> Result<Self, ValueError>;
}

/// A type that is encoded as a number: `{id:06}`, `{id:ord}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a number in a key",
    label = "not a number",
    note = "text: `{{name}}` or `{{name:esc}}`; times: `{{at:ticks}}`, `{{at:inverted_ticks}}` or `{{at:%Y%m%d}}`; ids: `{{id:guid}}`",
    note = "for a newtype, add #[derive(KeyPart)]"
)]
pub trait Num: Sized {
    /// `true` for floats. Integers and floats of the same width support the same formats, with different encodings.
    const IS_FLOAT: bool;

    /// Type of the values, for designs. `None` if only the program knows it.
    #[doc(hidden)]
    const KIND: Option<ValueKind> = None;

    /// Returns the number.
    fn to_number(&self) -> KeyValue<'static>;

    /// Converts the number to a value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the number is not a valid value.
    fn from_number(number: KeyValue<'_>) -> Result<Self, ValueError>;
}

/// A type that is a point in time or a date: `{at:ticks}`, `{at:inverted_ticks}`, `{at:%Y%m%d}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a time in a key",
    label = "not a time",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`; ids: `{{id:guid}}`",
    note = "times: Timestamp, Date, SystemTime, and the types of the crates time, chrono and jiff with the feature of the same name"
)]
pub trait Time: Sized {
    /// Type of the values, for designs.
    #[doc(hidden)]
    const KIND: Option<ValueKind> = Some(ValueKind::Time);

    /// Returns the number of 100 ns intervals since the start of the year 1, UTC, rounded down.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the time is out of range.
    fn to_ticks(&self) -> Result<i64, ValueError>;

    /// Converts ticks to a value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the time is out of range for the type.
    fn from_ticks(ticks: i64) -> Result<Self, ValueError>;
}

/// A type that is encoded as a GUID: `{id}`, `{id:guid}`, `{id:guidn}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a GUID in a key",
    label = "not an id",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`"
)]
pub trait Id: Sized {
    /// Returns the 16 bytes, in printed order.
    fn to_guid(&self) -> [u8; 16];

    /// Converts the bytes to a value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the GUID is not a valid value.
    fn from_guid(bytes: [u8; 16]) -> Result<Self, ValueError>;
}

/// A type that is encoded as `true` or `false`: `{on}`, `{on:bool}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as true or false in a key",
    label = "not a bool",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`"
)]
pub trait Flag: Sized {
    /// Returns the flag.
    fn to_flag(&self) -> bool;

    /// Converts the flag to a value.
    ///
    /// # Errors
    /// Returns a [`ValueError`] if the flag is not a valid value.
    fn from_flag(flag: bool) -> Result<Self, ValueError>;
}
