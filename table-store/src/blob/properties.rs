use super::{BlobETag, BlobHeaders, ContainerName, Md5};
use crate::{Metadata, Timestamp};

/// What kind of blob one is; it stays so until the blob is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlobType {
    /// Written whole, or put together from blocks.
    Block,
    /// Grows at its end.
    Append,
}

impl BlobType {
    /// The type as it is written on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "BlockBlob",
            Self::Append => "AppendBlob",
        }
    }
}

/// A version of a container or a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobVersion {
    /// For the next conditional request.
    pub etag: BlobETag,
    /// When it came about.
    pub last_modified: Timestamp,
}

impl From<Timestamp> for BlobVersion {
    fn from(time: Timestamp) -> Self {
        Self { etag: time.into(), last_modified: time }
    }
}

/// What writing a blob answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobWritten {
    /// For the next conditional request.
    pub etag: BlobETag,
    /// When it was written.
    pub last_modified: Timestamp,
    /// The hash of the contents, where they were written whole.
    pub content_md5: Option<Md5>,
}

impl BlobWritten {
    /// The answer for a version of a blob.
    #[must_use]
    pub fn new(version: BlobVersion, content_md5: Option<Md5>) -> Self {
        Self { etag: version.etag, last_modified: version.last_modified, content_md5 }
    }
}

/// What appending answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// For the next conditional request.
    pub etag: BlobETag,
    /// When it was written.
    pub last_modified: Timestamp,
    /// Where in the blob it begins.
    pub offset: u64,
    /// How many times the blob was appended to.
    pub committed_blocks: u32,
}

impl Appended {
    /// The answer for a version of a blob.
    #[must_use]
    pub fn new(version: BlobVersion, offset: u64, committed_blocks: u32) -> Self {
        Self { etag: version.etag, last_modified: version.last_modified, offset, committed_blocks }
    }
}

/// What is known of a blob besides its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobProperties {
    /// What kind it is.
    pub blob_type: BlobType,
    /// Bytes of its contents.
    pub length: u64,
    /// Its version.
    pub etag: BlobETag,
    /// When it was changed last.
    pub last_modified: Timestamp,
    /// When it was made; replacing it keeps this.
    pub created: Timestamp,
    /// What it says of its contents.
    pub headers: BlobHeaders,
    /// What its users say of it.
    pub metadata: Metadata,
    /// Of an append blob, how many times it was appended to.
    pub committed_blocks: Option<u32>,
    /// Whether it has uncommitted blocks only: then it is listed if that is asked for, and else not there.
    pub uncommitted: bool,
}

impl BlobProperties {
    /// Those of a new and empty blob.
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
        }
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> BlobVersion {
        BlobVersion { etag: self.etag.clone(), last_modified: self.last_modified }
    }
}

/// What is known of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContainerProperties {
    /// What it is called.
    pub name: ContainerName,
    /// Its version: of itself, not of the blobs in it.
    pub etag: BlobETag,
    /// When it was made, or its metadata set.
    pub last_modified: Timestamp,
    /// What its users say of it.
    pub metadata: Metadata,
}

impl ContainerProperties {
    /// Those of a container.
    #[must_use]
    pub fn new(name: ContainerName, version: BlobVersion, metadata: Metadata) -> Self {
        Self { name, etag: version.etag, last_modified: version.last_modified, metadata }
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> BlobVersion {
        BlobVersion { etag: self.etag.clone(), last_modified: self.last_modified }
    }
}
