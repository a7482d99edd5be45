use super::{QueueName, limits::LIST_RESULTS};
use crate::{ErrorCode, Metadata, Result, TableError};

/// Request to list queues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListQueues {
    /// Prefix of the queue names.
    pub prefix: String,
    /// Marker returned by the previous segment.
    pub marker: Option<String>,
    /// Maximum number of queues per segment, at least 1. Defaults to 5,000, which is also the upper limit.
    pub max_results: Option<u32>,
    /// Includes metadata in the result.
    pub metadata: bool,
}

impl ListQueues {
    /// Creates a request for all queues.
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

    /// Limits a segment to `count` queues.
    #[must_use]
    pub fn max_results(mut self, count: u32) -> Self {
        self.max_results = Some(count);
        self
    }

    /// Includes metadata in the result.
    #[must_use]
    pub fn with_metadata(mut self) -> Self {
        self.metadata = true;
        self
    }

    /// Returns the maximum number of queues in a segment of this listing.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if the requested number is 0.
    pub fn results(&self) -> Result<usize> {
        match self.max_results.map(usize::try_from) {
            None | Some(Err(_)) => Ok(LIST_RESULTS),
            Some(Ok(0)) => {
                let code = ErrorCode::OutOfRangeQueryParameterValue;
                let message = format!("{} Request 1 to {LIST_RESULTS} queues.", code.message());
                Err(TableError::with_message(code, message))
            }
            Some(Ok(count)) => Ok(count.min(LIST_RESULTS)),
        }
    }
}

/// One queue in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueItem {
    /// Name of the queue.
    pub name: QueueName,
    /// Metadata of the queue, if requested.
    pub metadata: Option<Metadata>,
}

/// One segment of a listing of queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuesSegment {
    /// Queues in name order.
    pub queues: Vec<QueueItem>,
    /// Marker of the next segment; `None` at the end.
    pub next_marker: Option<String>,
}
