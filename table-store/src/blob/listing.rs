use super::{BlobName, BlobProperties, ContainerProperties, limits::LIST_RESULTS};
use crate::{ErrorCode, Result, TableError};

/// Which containers to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListContainers {
    /// What their names begin with.
    pub prefix: String,
    /// Where the last segment ended.
    pub marker: Option<String>,
    /// Most containers of a segment, from 1 on; none, and what is above, stands for 5,000.
    pub max_results: Option<u32>,
}

impl ListContainers {
    /// All.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only those whose names begin so.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Goes on where a segment of the same listing ended.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// At most so many in a segment.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// How many results a segment of it holds at most.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if none are asked for.
    pub fn results(&self) -> Result<usize> {
        results(self.max_results)
    }
}

/// One response of a listing of containers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContainersSegment {
    /// In the order of their names.
    pub containers: Vec<ContainerProperties>,
    /// Where to go on; none at the end.
    pub next_marker: Option<String>,
}

impl ContainersSegment {
    /// A response.
    #[must_use]
    pub fn new(containers: Vec<ContainerProperties>, next_marker: Option<String>) -> Self {
        Self { containers, next_marker }
    }
}

/// Which blobs of a container to list.
///
/// ```
/// use table_store::blob::ListBlobs;
///
/// // The days of July, each once, however many logs there are.
/// let days = ListBlobs::new().prefix("queue/2014/07/").delimiter("/");
/// # let _ = days;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListBlobs {
    /// What their names begin with.
    pub prefix: String,
    /// Names that have it after the prefix are listed as one, up to it; none to list each.
    pub delimiter: Option<String>,
    /// Where the last segment ended.
    pub marker: Option<String>,
    /// Most items of a segment, from 1 on; none, and what is above, stands for 5,000.
    pub max_results: Option<u32>,
    /// Whether blobs that have uncommitted blocks only are listed too.
    pub uncommitted: bool,
}

impl ListBlobs {
    /// All that can be read.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only those whose names begin so.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Names that have this text after the prefix as one, up to it.
    #[must_use]
    pub fn delimiter(mut self, delimiter: impl Into<String>) -> Self {
        self.delimiter = Some(delimiter.into());
        self
    }

    /// Goes on where a segment of the same listing ended.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// At most so many in a segment.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// Those that have uncommitted blocks only, too.
    #[must_use]
    pub fn uncommitted(mut self) -> Self {
        self.uncommitted = true;
        self
    }

    /// How many results a segment of it holds at most.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if none are asked for.
    pub fn results(&self) -> Result<usize> {
        results(self.max_results)
    }
}

/// One line of a listing of blobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlobItem {
    /// A blob.
    Blob {
        /// What it is called.
        name: BlobName,
        /// What is known of it.
        properties: Box<BlobProperties>,
    },
    /// All blobs whose names begin so: the prefix asked for, and what follows up to the delimiter.
    Prefix(String),
}

impl BlobItem {
    /// A blob.
    #[must_use]
    pub fn blob(name: BlobName, properties: BlobProperties) -> Self {
        Self::Blob { name, properties: Box::new(properties) }
    }

    /// The name, or what the names begin with.
    pub fn name(&self) -> &str {
        match self {
            Self::Blob { name, .. } => name.as_str(),
            Self::Prefix(prefix) => prefix,
        }
    }
}

/// One response of a listing of blobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobsSegment {
    /// Blobs and prefixes in the order of their names, by Unicode code points.
    pub items: Vec<BlobItem>,
    /// Where to go on; none at the end. There can be more although there are fewer items than asked for.
    pub next_marker: Option<String>,
}

impl BlobsSegment {
    /// A response.
    #[must_use]
    pub fn new(items: Vec<BlobItem>, next_marker: Option<String>) -> Self {
        Self { items, next_marker }
    }
}

fn results(asked: Option<u32>) -> Result<usize> {
    match asked.map(usize::try_from) {
        None | Some(Err(_)) => Ok(LIST_RESULTS),
        Some(Ok(0)) => Err(TableError::with_message(
            ErrorCode::OutOfRangeQueryParameterValue,
            format!(
                "{} Ask for 1 to {LIST_RESULTS} results.",
                ErrorCode::OutOfRangeQueryParameterValue.message()
            ),
        )),
        Some(Ok(count)) => Ok(count.min(LIST_RESULTS)),
    }
}
