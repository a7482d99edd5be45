use std::sync::Arc;

use table_model::{ETag, Properties, Timestamp};

use crate::{
    Address, Receipt,
    core::{blob::reference::Named, versions::Versions},
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
    pub(crate) versions: Option<Arc<Versions>>,
    /// Blobs that the entity references now, if it references or referenced any.
    pub(crate) blobs: Option<Arc<[Named]>>,
    /// Aggregates that the row contains now, if the entity stores aggregates and they are known.
    pub(crate) kept: Option<Arc<Properties>>,
    /// `true` if the entity can have rows in other partitions, even if this write left no commit record.
    pub(crate) is_far: bool,
}

impl WriteResult {
    /// Returns the names of the blobs that the entity references.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = &str> {
        self.blobs.iter().flat_map(|named| named.iter().map(|(_, reference)| reference.name.as_str()))
    }
}
