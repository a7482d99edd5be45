//! Entities as JSON: as requests carry them, and rows as answers carry them at each of the three levels.

mod body;
mod parts;
mod rows;
mod writer;

pub use body::{EntityBody, push_entity};
pub use rows::{read_row, read_rows};
pub use writer::{RowHead, RowWriter, Selected};
