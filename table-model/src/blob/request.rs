use std::ops::{Bound, RangeBounds};

use super::{BlobConditions, BlobHeaders, BlobRange, BlobTags, Md5};
use crate::{Metadata, Uuid};

/// Headers, metadata, tags and conditions of a blob write.
///
/// ```
/// use table_model::{Metadata, blob::{BlobConditions, PutBlob}};
///
/// let put = PutBlob::new()
///     .content_type("text/plain")
///     .metadata(Metadata::new().with("first", "2014-07-31T18:00:00Z")?)
///     .conditions(BlobConditions::absent());
/// # let _ = put;
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutBlob {
    /// HTTP headers of the content. If the request contains content and a hash, the hash is verified; the error is
    /// `Md5Mismatch`.
    pub headers: BlobHeaders,
    /// User-defined metadata.
    pub metadata: Metadata,
    /// Index tags.
    pub tags: BlobTags,
    /// Preconditions of the write.
    pub conditions: BlobConditions,
}

impl PutBlob {
    /// Creates an unconditional request without headers, metadata and tags.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the media type, such as `text/plain`.
    #[must_use]
    pub fn content_type(mut self, text: impl Into<String>) -> Self {
        self.headers.content_type = Some(text.into());
        self
    }

    /// Sets all headers.
    #[must_use]
    pub fn headers(mut self, headers: BlobHeaders) -> Self {
        self.headers = headers;
        self
    }

    /// Sets the user-defined metadata.
    #[must_use]
    pub fn metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets the index tags.
    #[must_use]
    pub fn tags(mut self, tags: BlobTags) -> Self {
        self.tags = tags;
        self
    }

    /// Sets the preconditions of the write.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}

/// Hash and lease of the upload of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutBlock {
    /// MD5 hash of the block. If it differs, the error is `Md5Mismatch`.
    pub md5: Option<Md5>,
    /// Id of the active lease of the blob.
    pub lease: Option<Uuid>,
}

impl PutBlock {
    /// Creates an upload without a hash and a lease.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the hash of the block, if there is one.
    #[must_use]
    pub fn md5(mut self, md5: impl Into<Option<Md5>>) -> Self {
        self.md5 = md5.into();
        self
    }

    /// Sets the active lease of the blob, if there is one.
    #[must_use]
    pub fn lease(mut self, id: impl Into<Option<Uuid>>) -> Self {
        self.lease = id.into();
        self
    }
}

/// Conditions of an append to an append blob.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppendBlock {
    /// Required current length of the blob. If it differs, the error is `AppendPositionConditionNotMet`.
    pub position: Option<u64>,
    /// Maximum length of the blob after the append. If it is exceeded, the error is `MaxBlobSizeConditionNotMet`.
    pub max_size: Option<u64>,
    /// MD5 hash of the appended content. If it differs, the error is `Md5Mismatch`.
    pub md5: Option<Md5>,
    /// Preconditions on the version of the blob.
    pub conditions: BlobConditions,
}

impl AppendBlock {
    /// Creates an unconditional append.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires that the blob currently has this length. A retried append is then not applied twice.
    #[must_use]
    pub fn position(mut self, length: u64) -> Self {
        self.position = Some(length);
        self
    }

    /// Requires that the blob has at most this length after the append.
    #[must_use]
    pub fn max_size(mut self, length: u64) -> Self {
        self.max_size = Some(length);
        self
    }

    /// Sets the preconditions on the version of the blob.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}

/// Range and conditions of a blob read.
///
/// ```
/// use table_model::blob::{BlobRange, ReadBlob};
///
/// assert_eq!(ReadBlob::new().range(2..12).range, BlobRange { start: 2, end: Some(12) });
/// assert_eq!(ReadBlob::new().range(2..=11).range, BlobRange { start: 2, end: Some(12) });
/// assert_eq!(ReadBlob::new().range(..).range, BlobRange::ALL);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadBlob {
    /// Byte range to read.
    pub range: BlobRange,
    /// Preconditions on the version of the blob.
    pub conditions: BlobConditions,
}

impl ReadBlob {
    /// Creates an unconditional read of the whole content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts the read to a byte range.
    #[must_use]
    pub fn range(mut self, range: impl RangeBounds<u64>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => Some(last.saturating_add(1)),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => None,
        };
        self.range = BlobRange { start, end };
        self
    }

    /// Sets the preconditions on the version of the blob.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}
