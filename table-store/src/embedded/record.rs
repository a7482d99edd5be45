//! The stored form of an entity. `docs/format.md` shows it byte by byte.
//!
//! Version, timestamp, number of properties; the properties as [packed](crate::packed); a checksum.

mod decode;
mod encode;
mod selection;

pub(super) use decode::Record;
pub(super) use encode::{draft, encode, finish};
pub(super) use selection::Selection;

/// The form that this version writes.
const VERSION: u8 = 1;
/// Version, timestamp, count.
const HEAD_BYTES: usize = 1 + 8 + 2;

#[cfg(test)]
mod tests;
