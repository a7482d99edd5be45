use std::sync::Arc;

use table_model::{ETag, Properties, Timestamp};

use crate::{
    Address, Receipt,
    core::{blob::reference::Named, entity_stamps::Stamps, row_versions::RowVersions},
};

/// Result of a write: the address and the new ETag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteResult {
    /// Address of the entity.
    pub address: Address,
    /// New ETag. If the response was lost, the write was found to be done, and other clients may have written since,
    /// this is an ETag that no row has, so that a conditional write with it is a conflict.
    pub etag: ETag,
    /// Time of the write.
    pub timestamp: Timestamp,
    /// Indexes whose rows for this entity were inconsistent and have been repaired by this write. Empty unless a client
    /// bypassed the library.
    pub repaired_indexes: Vec<&'static str>,
    /// Proof of this commit for readers of rows in other partitions, if the write affects such rows. See
    /// [`Query::after`](crate::Query::after).
    pub receipt: Option<Receipt>,
    /// Versions of the rows of a wide entity, if all of it was written.
    pub(crate) versions: Option<Arc<RowVersions>>,
    /// Blobs that the entity references now, if it references or referenced any.
    pub(crate) blobs: Option<Arc<[Named]>>,
    /// Aggregates that the row contains now, if the entity stores aggregates and they are known.
    pub(crate) kept: Option<Arc<Properties>>,
    /// `true` if the entity can have rows in other partitions, even if this write left no commit record.
    pub(crate) is_far: bool,
    /// Whether the write created the entity.
    pub(crate) created: Option<bool>,
    /// Times that the library set in the entity.
    pub(crate) stamps: Stamps,
}

impl WriteResult {
    /// Returns whether the write created the entity, or `None` if the response does not show it: after an
    /// [`overwrite`](crate::Tables::overwrite), and after an upsert of an untyped entity.
    ///
    /// No concurrent writer can make the result wrong: [`upsert`](crate::Tables::upsert) reads the row, then either inserts,
    /// which fails if the entity exists, or replaces the version that it read, and retries after a conflict.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// assert_eq!(tables.upsert(&employee(1)).await?.created(), Some(true));
    /// assert_eq!(tables.upsert(&employee(1)).await?.created(), Some(false));
    /// assert_eq!(tables.overwrite(&employee(1)).await?.created(), None);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub const fn created(&self) -> Option<bool> {
        self.created
    }

    /// Returns the names of the blobs that the entity references.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = &str> {
        self.blobs.iter().flat_map(|named| named.iter().map(|(_, reference)| reference.name.as_str()))
    }
}
