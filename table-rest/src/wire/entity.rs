//! Entities as JSON: request bodies, and response rows at each of the three metadata levels.

mod body;
mod parts;
mod rows;
mod writer;

pub use body::{EntityBody, push_entity};
pub use rows::{read_row, read_rows};
pub use writer::{RowHead, RowWriter, Selected};
