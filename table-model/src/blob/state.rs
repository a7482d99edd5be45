//! State of blobs and containers without their content, and the rules of the service for changes of it. Every backend that
//! stores blobs uses them.

mod change;
mod check;
mod container;

use super::{BlobCopy, BlobHeaders, BlobProperties, BlobTags, BlobType, Lease, LeaseState};
use crate::{Metadata, Timestamp};

pub use change::BlobChange;
pub use container::ContainerState;

/// State of a blob or a snapshot, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobState {
    /// Type of the blob. `None` while it has only uncommitted blocks: it does not exist for reads.
    pub blob_type: Option<BlobType>,
    /// Time of the last change, from which the ETag is derived.
    pub modified: Timestamp,
    /// Time of creation.
    pub created: Timestamp,
    /// Size of the content in bytes.
    pub length: u64,
    /// Number of blocks or appends.
    pub blocks: u32,
    /// Length of the block ids in bytes; 0 without blocks.
    pub block_id_bytes: u8,
    /// HTTP headers of the content.
    pub headers: BlobHeaders,
    /// User-defined metadata.
    pub metadata: Metadata,
    /// Lease, also one that has ended.
    pub lease: Option<Lease>,
    /// Index tags.
    pub tags: BlobTags,
    /// Copy that wrote the blob.
    pub copy: Option<BlobCopy>,
}

impl BlobState {
    /// Creates the state of an empty blob, written at `time`.
    #[must_use]
    pub fn new(blob_type: Option<BlobType>, time: Timestamp) -> Self {
        Self {
            blob_type,
            modified: time,
            created: time,
            length: 0,
            blocks: 0,
            block_id_bytes: 0,
            headers: BlobHeaders::default(),
            metadata: Metadata::new(),
            lease: None,
            tags: BlobTags::new(),
            copy: None,
        }
    }

    /// Returns `true` if the blob can be read. Uncommitted blocks alone are no blob.
    #[must_use]
    pub const fn exists(&self) -> bool {
        self.blob_type.is_some()
    }

    /// Returns the properties at the time `now`, on which the state of the lease depends.
    #[must_use]
    pub fn properties(self, now: Timestamp) -> BlobProperties {
        let blob_type = self.blob_type.unwrap_or(BlobType::Block);
        let mut properties = BlobProperties::new(blob_type, self.modified.into());
        properties.uncommitted = !self.exists();
        properties.length = self.length;
        properties.created = self.created;
        properties.headers = self.headers;
        properties.metadata = self.metadata;
        properties.committed_blocks = (blob_type == BlobType::Append).then_some(self.blocks);
        properties.lease = LeaseState::of(self.lease.as_ref(), now);
        properties.tag_count = self.tags.len();
        properties.copy = self.copy;
        properties
    }
}
