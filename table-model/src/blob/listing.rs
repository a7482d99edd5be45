mod marker;
mod walk;

use super::{BlobName, BlobProperties, ContainerProperties, limits::LIST_RESULTS};
use crate::{ErrorCode, Result, TableError};

pub use walk::{ListingStep, ListingWalk};

/// Request to list containers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListContainers {
    /// Prefix of the container names.
    pub prefix: String,
    /// Marker returned by the previous segment.
    pub marker: Option<String>,
    /// Maximum number of containers per segment, at least 1. Defaults to 5,000, which is also the upper limit.
    pub max_results: Option<u32>,
}

impl ListContainers {
    /// Creates a request for all containers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts the listing to names with this prefix.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Continues after a previous segment of the same listing.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// Limits a segment to `count` containers.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// Returns the maximum number of results in a segment of this listing.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if the requested number is 0.
    pub fn results(&self) -> Result<usize> {
        results(self.max_results)
    }
}

/// One segment of a listing of containers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContainersSegment {
    /// Containers in name order.
    pub containers: Vec<ContainerProperties>,
    /// Marker of the next segment; `None` at the end.
    pub next_marker: Option<String>,
}

impl ContainersSegment {
    /// Creates a segment.
    #[must_use]
    pub fn new(containers: Vec<ContainerProperties>, next_marker: Option<String>) -> Self {
        Self { containers, next_marker }
    }
}

/// Request to list the blobs of a container.
///
/// ```
/// use table_model::blob::ListBlobs;
///
/// // The days of July, each once, however many logs there are.
/// let days = ListBlobs::new().prefix("queue/2014/07/").delimiter("/");
/// # let _ = days;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListBlobs {
    /// Prefix of the blob names.
    pub prefix: String,
    /// Delimiter. Names that contain it after the prefix are grouped under the part up to the delimiter. `None` lists
    /// every name.
    pub delimiter: Option<String>,
    /// Marker returned by the previous segment.
    pub marker: Option<String>,
    /// First name of the listing, which need not exist. Names before it are not listed.
    pub start_from: Option<String>,
    /// Maximum number of items per segment, at least 1. Defaults to 5,000, which is also the upper limit.
    pub max_results: Option<u32>,
    /// Includes blobs that have only uncommitted blocks.
    pub uncommitted: bool,
    /// Includes the snapshots of each blob, from the oldest to the newest, before the blob. The markers of such a
    /// listing are not valid for another one.
    pub snapshots: bool,
    /// Includes the tags of each blob.
    pub tags: bool,
}

impl ListBlobs {
    /// Creates a request for all blobs that can be read.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts the listing to names with this prefix.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Groups names that contain this string after the prefix.
    #[must_use]
    pub fn delimiter(mut self, delimiter: impl Into<String>) -> Self {
        self.delimiter = Some(delimiter.into());
        self
    }

    /// Continues after a previous segment of the same listing.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// Starts the listing at this name instead of the first one.
    #[must_use]
    pub fn start_from(mut self, name: impl Into<String>) -> Self {
        self.start_from = Some(name.into());
        self
    }

    /// Limits a segment to `count` items.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// Includes blobs that have only uncommitted blocks.
    #[must_use]
    pub fn uncommitted(mut self) -> Self {
        self.uncommitted = true;
        self
    }

    /// Includes snapshots.
    #[must_use]
    pub fn snapshots(mut self) -> Self {
        self.snapshots = true;
        self
    }

    /// Includes the tags of each blob.
    #[must_use]
    pub fn tags(mut self) -> Self {
        self.tags = true;
        self
    }

    /// Returns the maximum number of results in a segment of this listing.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if the requested number is 0.
    pub fn results(&self) -> Result<usize> {
        results(self.max_results)
    }
}

/// One item of a listing of blobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlobItem {
    /// A blob, or a snapshot of it.
    Blob {
        /// Name of the blob.
        name: BlobName,
        /// Properties of the blob.
        properties: Box<BlobProperties>,
    },
    /// All blobs whose names start with this string: the requested prefix and the following characters up to the
    /// delimiter.
    Prefix(String),
}

impl BlobItem {
    /// Creates an item for a blob.
    #[must_use]
    pub fn blob(name: BlobName, properties: BlobProperties) -> Self {
        Self::Blob { name, properties: Box::new(properties) }
    }

    /// Returns the name of the blob or the prefix.
    pub fn name(&self) -> &str {
        match self {
            Self::Blob { name, .. } => name.as_str(),
            Self::Prefix(prefix) => prefix,
        }
    }
}

/// One segment of a listing of blobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobsSegment {
    /// Blobs and prefixes in name order, by Unicode code points.
    pub items: Vec<BlobItem>,
    /// Marker of the next segment; `None` at the end. A segment with fewer items than requested can have a next
    /// segment.
    pub next_marker: Option<String>,
}

impl BlobsSegment {
    /// Creates a segment.
    #[must_use]
    pub fn new(items: Vec<BlobItem>, next_marker: Option<String>) -> Self {
        Self { items, next_marker }
    }
}

pub(super) fn results(asked: Option<u32>) -> Result<usize> {
    match asked.map(usize::try_from) {
        None | Some(Err(_)) => Ok(LIST_RESULTS),
        Some(Ok(0)) => Err(TableError::with_message(
            ErrorCode::OutOfRangeQueryParameterValue,
            format!(
                "{} Request 1 to {LIST_RESULTS} results.",
                ErrorCode::OutOfRangeQueryParameterValue.message()
            ),
        )),
        Some(Ok(count)) => Ok(count.min(LIST_RESULTS)),
    }
}
