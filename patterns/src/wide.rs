//! Wide entities (P10): one entity in several rows of a partition, its properties dealt out in the order of declaration.
//!
//! | row | RowKey | beside its share of the properties |
//! |---|---|---|
//! | head | `2014_00` | `_gv`: for each other part the stamp of its last write with the head; zeros where there is no such row |
//! | part | `2014_03` | `_g`: that stamp |
//!
//! A write of the whole gives all its parts one new stamp, and names it in the head, in one transaction. A patch inside
//! one part is one merge of that row and changes no stamp: fields of different parts are independent of each other.
//!
//! A reader asks for all rows by one range, the head first. What it got is one state of the entity if each part has the
//! stamp that the head names: stamps are never used twice and change only together with the head, so each part was, when
//! the head was read, what it is. Anything else is read again.

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
