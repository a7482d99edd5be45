//! Stored form of an entity. `docs/format.md` documents each byte.
//!
//! Version, timestamp, number of properties; the [packed](table_model::packed) properties; a checksum.

mod decode;
mod encode;

pub(crate) use decode::Record;
pub(crate) use encode::{draft, encode, finish};

/// Record format written by this version.
const VERSION: u8 = 1;
/// Version, timestamp, count.
const HEAD_BYTES: usize = 1 + 8 + 2;

#[cfg(test)]
mod tests;
