//! What a key's text is made of.
//!
//! The format of a hole decides how it is written, and asks the field's type for one of five traits: [`Text`] for
//! `{name}` and `{name:esc}`, [`Num`] for `{id:06}` and `{id:ord}`, [`Time`] for `{at:ticks}`, `{at:inverted_ticks}` and
//! `{at:%Y%m%d}`, [`Id`] for `{id:guid}`, [`Flag`] for `{on:bool}`.

mod codec;
pub(crate) mod hole;
mod number;
pub mod part;
mod plain;
mod reader;
pub(crate) mod shard;
pub(crate) mod value;

pub(crate) use codec::encode;
pub use codec::{KeyProblem, WhyNoKey};
pub use reader::KeyReader;
pub use table_schema::key::{KeyError, KeyRule, KeyValue};

use std::borrow::Cow;

use crate::ValueError;

/// A type that is written as text: `{name}`, `{name:esc}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as text in a key",
    label = "not a text",
    note = "numbers: `{{id:06}}` or `{{id:ord}}`; times: `{{at:ticks}}`, `{{at:inverted_ticks}}` or `{{at:%Y%m%d}}`; ids: `{{id:guid}}`",
    note = "for an enum or a newtype of your own, add #[derive(KeyPart)]"
)]
pub trait Text: Sized {
    /// The text. What a key cannot hold is found when the key is written.
    fn to_text(&self) -> Cow<'_, str>;

    /// The value back from its text.
    fn from_text(text: &str) -> Result<Self, ValueError>;
}

/// A type that is written as a number: `{id:06}`, `{id:ord}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a number in a key",
    label = "not a number",
    note = "text: `{{name}}` or `{{name:esc}}`; times: `{{at:ticks}}`, `{{at:inverted_ticks}}` or `{{at:%Y%m%d}}`; ids: `{{id:guid}}`",
    note = "for a newtype of your own, add #[derive(KeyPart)]"
)]
pub trait Num: Sized {
    /// Whether it is a float: integers and floats of one width share a format, but not their form in it.
    const IS_FLOAT: bool;

    /// The number.
    fn to_number(&self) -> KeyValue<'static>;

    /// The value back from its number.
    fn from_number(number: KeyValue<'_>) -> Result<Self, ValueError>;
}

/// A type that is a point in time or a day: `{at:ticks}`, `{at:inverted_ticks}`, `{at:%Y%m%d}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a time in a key",
    label = "not a time",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`; ids: `{{id:guid}}`",
    note = "times: Timestamp, Date, SystemTime, and those of the crates time, chrono and jiff with the feature of that name"
)]
pub trait Time: Sized {
    /// 100 ns since the start of the year 1, UTC, rounded down.
    fn to_ticks(&self) -> Result<i64, ValueError>;

    /// The value back from its ticks.
    fn from_ticks(ticks: i64) -> Result<Self, ValueError>;
}

/// A type that is written as a GUID: `{id}`, `{id:guid}`, `{id:guidn}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a GUID in a key",
    label = "not an id",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`"
)]
pub trait Id: Sized {
    /// Its 16 bytes, in the order in which they are printed.
    fn to_guid(&self) -> [u8; 16];

    /// The value back from its bytes.
    fn from_guid(bytes: [u8; 16]) -> Result<Self, ValueError>;
}

/// A type that is written as `true` or `false`: `{on}`, `{on:bool}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as true or false in a key",
    label = "not a bool",
    note = "text: `{{name}}` or `{{name:esc}}`; numbers: `{{id:06}}` or `{{id:ord}}`"
)]
pub trait Flag: Sized {
    /// Whether it is true.
    fn to_flag(&self) -> bool;

    /// The value back.
    fn from_flag(flag: bool) -> Result<Self, ValueError>;
}
