//! Binary encoding of properties, used for results of reads, and by backends for stored records.
//!
//! The layout allows a property to be found and read without decoding the others:
//!
//! ```text
//! entries                     | names | values
//! count times 7 bytes:        |       |
//!   u24 end of the name       |       |
//!   u8  type                  |       |
//!   u24 end of the value      |       |
//! ```
//!
//! Ends are relative to the start of the names and of the values; a name or value starts at the end of the previous
//! one. Numbers are little-endian. `docs/format.md` documents each byte.

mod cursor;
pub(crate) mod kind;
mod needle;
mod pack;
mod packer;
mod read;
mod shape;

pub use cursor::PropertyCursor;
pub use needle::needle;
pub use pack::{pack, packed_bytes};
pub use packer::Packer;
pub(crate) use read::Near;
pub use read::{PropertiesRef, PropertyIter};
pub use shape::Shape;

/// End of the name, type, end of the value.
const ENTRY_BYTES: usize = 3 + 1 + 3;
/// Position of the end of the value in an entry.
const END_OF_VALUE: usize = 3 + 1;

#[cfg(test)]
mod tests;
