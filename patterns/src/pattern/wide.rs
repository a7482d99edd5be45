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

mod point;
mod read;
mod verb;
pub(crate) mod verify;
mod write;

pub use point::WidePoint;

use crate::{
    Error,
    core::layout::Layout,
    write::{Pattern, States, Write, properties_mut},
};

/// The pattern of wide entities. It excludes all others.
#[derive(Debug)]
pub(crate) struct Wide;

impl Pattern for Wide {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let Some(layout) = write.design.and_then(Layout::of) else { return Ok(()) };
        let properties = properties_mut(&mut write.operation).map(std::mem::take).unwrap_or_default();
        *write = match states.of_row() {
            (Some(old), Some(_)) => write::over(layout, &old.address, properties, old.wide()?)?,
            (Some(old), None) => write::delete(layout, &old.address, old.wide()?)?,
            (None, Some(new)) => write::insert(layout, &new.address, properties)?,
            (None, None) => return Ok(()),
        };
        Ok(())
    }
}
