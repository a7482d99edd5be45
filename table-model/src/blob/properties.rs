use super::{BlobCopy, BlobETag, BlobHeaders, BlobSnapshot, BlobTags, ContainerName, LeaseState, Md5};
use crate::{Metadata, Timestamp};

/// Type of a blob. It cannot change until the blob is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlobType {
    /// Written as a whole, or assembled from blocks.
    Block,
    /// Grows at its end.
    Append,
}

impl BlobType {
    /// Returns the type name used on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "BlockBlob",
            Self::Append => "AppendBlob",
        }
    }
}

/// Version of a container or a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobVersion {
    /// ETag for the next conditional request.
    pub etag: BlobETag,
    /// Time of the change.
    pub last_modified: Timestamp,
}

impl From<Timestamp> for BlobVersion {
    fn from(time: Timestamp) -> Self {
        Self { etag: time.into(), last_modified: time }
    }
}

/// Result of writing a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobWritten {
    /// ETag for the next conditional request.
    pub etag: BlobETag,
    /// Time of the write.
    pub last_modified: Timestamp,
    /// MD5 hash of the content, if it was written as a whole.
    pub content_md5: Option<Md5>,
}

impl BlobWritten {
    /// Creates the result for a version of a blob.
    #[must_use]
    pub fn new(version: BlobVersion, content_md5: Option<Md5>) -> Self {
        Self { etag: version.etag, last_modified: version.last_modified, content_md5 }
    }
}

/// Result of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// ETag for the next conditional request.
    pub etag: BlobETag,
    /// Time of the append.
    pub last_modified: Timestamp,
    /// Offset in the blob at which the appended content starts.
    pub offset: u64,
    /// Number of appends to the blob.
    pub committed_blocks: u32,
}

impl Appended {
    /// Creates the result for a version of a blob.
    #[must_use]
    pub fn new(version: BlobVersion, offset: u64, committed_blocks: u32) -> Self {
        Self { etag: version.etag, last_modified: version.last_modified, offset, committed_blocks }
    }
}

/// Properties of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobProperties {
    /// Type of the blob.
    pub blob_type: BlobType,
    /// Size of the content in bytes.
    pub length: u64,
    /// Version of the blob.
    pub etag: BlobETag,
    /// Time of the last change.
    pub last_modified: Timestamp,
    /// Time of creation. Replacing the blob keeps it.
    pub created: Timestamp,
    /// HTTP headers of the content.
    pub headers: BlobHeaders,
    /// User-defined metadata.
    pub metadata: Metadata,
    /// Number of appends, for an append blob.
    pub committed_blocks: Option<u32>,
    /// The blob has only uncommitted blocks. It is listed only if the request includes such blobs, and cannot be read.
    pub uncommitted: bool,
    /// State of the lease. A snapshot has no lease.
    pub lease: LeaseState,
    /// Snapshot that these properties belong to; `None` for the blob itself.
    pub snapshot: Option<BlobSnapshot>,
    /// Copy that wrote the blob, unless its content or headers were changed since.
    pub copy: Option<BlobCopy>,
    /// Number of tags.
    pub tag_count: usize,
    /// Tags, in a listing that includes them.
    pub tags: Option<BlobTags>,
}

impl BlobProperties {
    /// Creates the properties of a new, empty blob.
    #[must_use]
    pub fn new(blob_type: BlobType, version: BlobVersion) -> Self {
        Self {
            blob_type,
            length: 0,
            etag: version.etag,
            last_modified: version.last_modified,
            created: version.last_modified,
            headers: BlobHeaders::default(),
            metadata: Metadata::new(),
            committed_blocks: (blob_type == BlobType::Append).then_some(0),
            uncommitted: false,
            lease: LeaseState::Available,
            snapshot: None,
            copy: None,
            tag_count: 0,
            tags: None,
        }
    }

    /// Returns the version of the blob.
    #[must_use]
    pub fn version(&self) -> BlobVersion {
        BlobVersion { etag: self.etag.clone(), last_modified: self.last_modified }
    }
}

/// Properties of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContainerProperties {
    /// Name of the container.
    pub name: ContainerName,
    /// Version of the container itself, independent of its blobs.
    pub etag: BlobETag,
    /// Time of creation or of the last change of its metadata.
    pub last_modified: Timestamp,
    /// User-defined metadata.
    pub metadata: Metadata,
    /// State of the lease.
    pub lease: LeaseState,
}

impl ContainerProperties {
    /// Creates the properties of a container.
    #[must_use]
    pub fn new(name: ContainerName, version: BlobVersion, metadata: Metadata) -> Self {
        let BlobVersion { etag, last_modified } = version;
        Self { name, etag, last_modified, metadata, lease: LeaseState::Available }
    }

    /// Returns the version of the container.
    #[must_use]
    pub fn version(&self) -> BlobVersion {
        BlobVersion { etag: self.etag.clone(), last_modified: self.last_modified }
    }
}
