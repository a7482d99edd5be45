//! The stored form of an entity. `docs/format.md` shows it byte by byte.
//!
//! Laid out so that a filter reads the one property it asks for and decodes nothing else.

mod decode;
mod encode;

pub(super) use decode::{Record, Selection};
pub(super) use encode::encode;

/// The form that this version writes.
const VERSION: u8 = 1;
/// Version, timestamp, count.
const HEAD_BYTES: usize = 1 + 8 + 2;
/// End of the name, type, end of the value.
const ENTRY_BYTES: usize = 3 + 1 + 3;

/// The code of a value's type.
mod kind {
    pub(super) const BINARY: u8 = 0;
    pub(super) const BOOLEAN: u8 = 1;
    pub(super) const DATE_TIME: u8 = 2;
    pub(super) const DOUBLE: u8 = 3;
    pub(super) const GUID: u8 = 4;
    pub(super) const INT32: u8 = 5;
    pub(super) const INT64: u8 = 6;
    pub(super) const STRING: u8 = 7;
}

#[cfg(test)]
mod tests;
