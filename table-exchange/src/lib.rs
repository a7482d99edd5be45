//! Tables as files, and files as tables.
//!
//! * [`Reader`]: the entities of a file, a line at a time: CSV as Storage Explorer writes it, in both dialects, or JSON
//!   Lines. A line that is no entity is told with its number, and does not stop what comes behind it;
//! * [`Writer`]: rows into such a file;
//! * [`Windows`] and [`Import`]: what a reader gives, in transactions, with a place from which to go on;
//! * [`export`]: what a query finds, into a writer.
//!
//! Memory does not grow with files or tables. Values are read and printed by the code that does it for the protocol: there
//! is one rule for each type. What the protocol does not tell apart is not told apart here: zero has no sign, and NaN is one.
//!
//! ```
//! use table_exchange::{Format, Reader};
//!
//! let file = "PartitionKey,RowKey,Age,Age@type\nSales,1,34,Int32\nSales,2,old,Int32\n";
//! let lines: Vec<_> = Reader::new(Format::Csv, file.as_bytes())?.collect::<Result<_, _>>()?;
//! assert!(lines[0].entity.is_ok());
//! let broken = lines[1].entity.as_ref().unwrap_err();
//! assert_eq!(broken.to_string(), "line 3: `Age`: `old` is no Int32");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod csv;
mod export;
mod format;
mod import;
mod json_lines;
mod line;
mod reader;
mod shown;
mod source;
mod writer;

pub use columns::Columns;
pub use export::{ExportError, Exported, export};
pub use format::{Dialect, Format};
pub use import::{Import, Mode, Refused, Sent, Window, Windows};
pub use line::{Broken, Line, Place};
pub use reader::{ReadError, Reader};
pub use writer::Writer;

/// Most bytes of a line, or of a record whose texts go over several lines: more than any entity takes.
pub const MOST_BYTES: usize = 8 << 20;

/// The code of the guide's chapter.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/command.md")]
struct Chapter;
