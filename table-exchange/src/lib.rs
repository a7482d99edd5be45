//! Export of tables to files, import of files into tables, and copies of accounts between services.
//!
//! * [`Reader`]: the entities of a file, line by line: CSV as written by Storage Explorer, in both dialects, or JSON
//!   Lines. An invalid line is reported with its number and does not stop the reader;
//! * [`Writer`]: writes rows to a file in these formats;
//! * [`Windows`] and [`Import`]: group the lines of a reader into transactions, with positions for resuming an import;
//! * [`export`]: writes the results of a query to a writer;
//! * [`copy`]: compares tables, blobs and queues of two services, and writes what differs.
//!
//! Memory use is independent of the size of files and tables. Values are parsed and formatted by the code of the
//! protocol, so each type has a single set of rules. Distinctions that the protocol does not make are lost: zero has no
//! sign, and all NaN values are equal.
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
pub mod copy;
mod csv;
mod export;
mod format;
mod import;
mod json_lines;
mod line;
mod reader;
mod send;
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

/// Maximum size in bytes of a line, or of a record that contains line breaks. No entity needs more.
pub const MOST_BYTES: usize = 8 << 20;

/// The code of the chapter in the guide.
#[cfg(doctest)]
#[doc = include_str!("../docs/cli.md")]
struct Chapter;
