//! Encoding and decoding of keys: a single implementation of each format of the template grammar.
//!
//! Generated code and the runtime call [`KeyWriter`] and [`KeyReader`] segment by segment; tools interpret a complete
//! [`KeyForm`](crate::template::KeyForm), which calls the same functions.
//!
//! ```
//! use table_schema::key::{KeyKind, KeyReader, KeyWriter, STRICT_UNITS};
//!
//! let mut writer = KeyWriter::new(KeyKind::Row);
//! writer.literal("empid_");
//! writer.padded("id", 223_u32, 6)?;
//! assert_eq!(writer.finish(STRICT_UNITS)?, "empid_000223");
//!
//! let mut reader = KeyReader::new(KeyKind::Row, "empid_000223");
//! reader.literal("empid_")?;
//! assert_eq!(reader.padded(6)?, 223);
//! reader.finish()?;
//!
//! let mut writer = KeyWriter::new(KeyKind::Row);
//! let error = writer.padded("id", 1_000_000_u32, 6).unwrap_err();
//! assert_eq!(error.to_string(), "field `id` = 1000000: does not fit :06");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod escape;
mod number;
mod order;
mod reader;
mod ticks;
mod value;
mod writer;

pub(crate) use error::quoted;
pub use error::{KeyError, KeyRule, TemplateMismatch};
pub use number::{Integer, Sortable};
pub(crate) use order::refused_beginning;
pub use order::{compare, is_forbidden, succ, units};
pub use reader::KeyReader;
pub use ticks::{MAX_TICKS, periods};
pub use value::KeyValue;
pub use writer::KeyWriter;

/// Maximum key length under the strict interpretation of the 1 KiB limit of the service, in UTF-16 code units.
pub const STRICT_UNITS: usize = 512;

/// The object that a key text identifies: a partition, a row or a table. Row keys that start with `!` are reserved for
/// the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyKind {
    /// A table name.
    Table,
    /// A PartitionKey.
    Partition,
    /// A RowKey.
    Row,
}
