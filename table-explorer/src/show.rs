//! Values as HTML.

mod number;
mod text;
mod value;

pub(crate) use number::{bytes, grouped};
pub(crate) use text::{plain, visible};
pub(crate) use value::{cell, exact, hex, hex_dump, type_name};

/// Maximum number of characters of a cell.
pub(crate) const CELL: usize = 120;
