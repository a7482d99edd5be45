//! Wide entities (P10): one entity in several rows of a partition, with its properties distributed in the order of
//! declaration.
//!
//! | row | RowKey | additional property |
//! |---|---|---|
//! | head | `2014_00` | `_gv`: for each other part, the stamp of its last write with the head; zeros if the part does not exist |
//! | part | `2014_03` | `_g`: that stamp |
//!
//! A write of the complete entity sets one new stamp in all parts, and stores it in the head, in one transaction. A
//! patch inside one part is one merge of that row and changes no stamp: fields of different parts are independent of
//! each other.
//!
//! A reader reads all rows in one range query, the head first. The result is one state of the entity if each part has
//! the stamp that the head contains. Stamps are never reused and change only together with the head, so each part was
//! already in this state when the head was read. Otherwise, the reader reads again.

mod layout;
mod point;
mod read;
mod stamps;
mod verb;
mod versions;
mod write;

pub(crate) use layout::{Layout, PART};
pub use point::{OnePoint, WidePoint};
pub(crate) use stamps::fill;
pub(crate) use verb::Verb;
pub(crate) use versions::Versions;
pub(crate) use write::{Parts, delete, insert, merge, over};
