use std::ops::{Bound, RangeBounds};

use super::{BlobConditions, BlobHeaders, BlobRange, Md5};
use crate::Metadata;

/// What a blob gets besides its contents, and when it may be written.
///
/// ```
/// use table_store::{Metadata, blob::{BlobConditions, PutBlob}};
///
/// let put = PutBlob::new()
///     .content_type("text/plain")
///     .metadata(Metadata::new().with("first", "2014-07-31T18:00:00Z")?)
///     .conditions(BlobConditions::absent());
/// # let _ = put;
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutBlob {
    /// What it says of its contents. A hash given for contents that are sent is checked: `Md5Mismatch`.
    pub headers: BlobHeaders,
    /// What its users say of it.
    pub metadata: Metadata,
    /// When it may be written.
    pub conditions: BlobConditions,
}

impl PutBlob {
    /// No headers, no metadata, whatever is there.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What its contents are, such as `text/plain`.
    #[must_use]
    pub fn content_type(mut self, text: impl Into<String>) -> Self {
        self.headers.content_type = Some(text.into());
        self
    }

    /// All headers.
    #[must_use]
    pub fn headers(mut self, headers: BlobHeaders) -> Self {
        self.headers = headers;
        self
    }

    /// What its users say of it.
    #[must_use]
    pub fn metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = metadata;
        self
    }

    /// When it may be written.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}

/// When an append blob may be appended to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppendBlock {
    /// The length that the blob must have now: `AppendPositionConditionNotMet`.
    pub position: Option<u64>,
    /// The length that it may have afterwards: `MaxBlobSizeConditionNotMet`.
    pub max_size: Option<u64>,
    /// The hash of what is appended: `Md5Mismatch`.
    pub md5: Option<Md5>,
    /// Which version it must have.
    pub conditions: BlobConditions,
}

impl AppendBlock {
    /// Whatever is there.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only if the blob has this length now. So an append that is sent again is not made twice.
    #[must_use]
    pub fn position(mut self, length: u64) -> Self {
        self.position = Some(length);
        self
    }

    /// Only if the blob has at most this length afterwards.
    #[must_use]
    pub fn max_size(mut self, length: u64) -> Self {
        self.max_size = Some(length);
        self
    }

    /// Which version it must have.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}

/// What is read of a blob, and when.
///
/// ```
/// use table_store::blob::{BlobRange, ReadBlob};
///
/// assert_eq!(ReadBlob::new().range(2..12).range, BlobRange { start: 2, end: Some(12) });
/// assert_eq!(ReadBlob::new().range(2..=11).range, BlobRange { start: 2, end: Some(12) });
/// assert_eq!(ReadBlob::new().range(..).range, BlobRange::ALL);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadBlob {
    /// Which part.
    pub range: BlobRange,
    /// Which version it must have.
    pub conditions: BlobConditions,
}

impl ReadBlob {
    /// All, whatever is there.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only this part.
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

    /// Which version it must have.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }
}
