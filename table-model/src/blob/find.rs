mod search;

use super::{BlobAddress, BlobTags, ContainerName, TagFilter, listing::results};
use crate::{ErrorCode, Result, TableError};

pub use search::TagSearch;

/// Request to find blobs by their tags.
///
/// ```
/// use table_model::blob::FindBlobs;
///
/// let done = FindBlobs::new("\"Status\" = 'Done'".parse()?).within("photos".parse()?).max_results(100);
/// # let _ = done;
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindBlobs {
    /// Condition that the tags of a blob must satisfy.
    pub filter: TagFilter,
    /// Container to search; `None` for all containers, or for that of the filter.
    pub container: Option<ContainerName>,
    /// Marker returned by the previous segment.
    pub marker: Option<String>,
    /// Maximum number of blobs per segment, at least 1. Defaults to 5,000, which is also the upper limit.
    pub max_results: Option<u32>,
}

impl FindBlobs {
    /// Creates a search of all containers, or of the one that the filter names.
    #[must_use]
    pub fn new(filter: TagFilter) -> Self {
        Self { filter, container: None, marker: None, max_results: None }
    }

    /// Restricts the search to a container, which must exist.
    #[must_use]
    pub fn within(mut self, container: ContainerName) -> Self {
        self.container = Some(container);
        self
    }

    /// Continues after a previous segment of the same search.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// Limits a segment to `count` blobs.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// Returns the maximum number of results in a segment of this search.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if the requested number is 0.
    pub fn results(&self) -> Result<usize> {
        results(self.max_results)
    }

    /// Returns the name of the only container to search, if there is one.
    ///
    /// # Errors
    /// `InvalidQueryParameterValue` if both the request and the filter name a container.
    pub fn scope(&self) -> Result<Option<&str>> {
        match (&self.container, self.filter.container()) {
            (Some(_), Some(_)) => Err(TableError::with_message(
                ErrorCode::InvalidQueryParameterValue,
                "Error parsing query: Cannot have container in both uri and query",
            )),
            (container, named) => Ok(container.as_ref().map(ContainerName::as_str).or(named)),
        }
    }
}

/// A blob that was found, with those of its tags that the filter names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundBlob {
    /// Address of the blob.
    pub blob: BlobAddress,
    /// Tags that the filter names.
    pub tags: BlobTags,
}

impl FoundBlob {
    /// Creates a result.
    #[must_use]
    pub fn new(blob: BlobAddress, tags: BlobTags) -> Self {
        Self { blob, tags }
    }
}

/// One segment of the results of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundBlobsSegment {
    /// Blobs in the order of their containers and names.
    pub blobs: Vec<FoundBlob>,
    /// Marker of the next segment; `None` at the end. A segment with fewer blobs than requested, or without any, can have
    /// a next segment.
    pub next_marker: Option<String>,
}

impl FoundBlobsSegment {
    /// Creates a segment.
    #[must_use]
    pub fn new(blobs: Vec<FoundBlob>, next_marker: Option<String>) -> Self {
        Self { blobs, next_marker }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_or_the_filter_names_the_container() {
        let find = |filter: &str| FindBlobs::new(filter.parse().unwrap());
        let photos: ContainerName = "photos".parse().unwrap();
        let everywhere = find("a = '1'");
        assert_eq!(everywhere.scope().unwrap(), None);
        assert_eq!(everywhere.within(photos.clone()).scope().unwrap(), Some("photos"));
        let named = find("@container = 'films' AND a = '1'");
        assert_eq!(named.scope().unwrap(), Some("films"));
        let error = named.within(photos).scope().unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidQueryParameterValue);
    }
}
