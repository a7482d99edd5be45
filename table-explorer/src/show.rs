//! Values as HTML.

mod key;
mod message;
mod number;
mod text;
mod value;

pub(crate) use key::{color_class, key};
pub(crate) use message::Readable;
pub(crate) use number::{age, bytes, counted, grouped, milliseconds, ratio};
pub(crate) use text::{html_len, lines, plain, start, visible};
pub(crate) use value::{cell, exact, hex, hex_dump, type_name};

/// Maximum number of characters of a cell.
pub(crate) const CELL: usize = 120;
