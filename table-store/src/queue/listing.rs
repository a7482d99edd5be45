use super::{QueueName, limits::LIST_RESULTS};
use crate::{ErrorCode, Metadata, Result, TableError};

/// Which queues to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListQueues {
    /// What their names begin with.
    pub prefix: String,
    /// Where the last segment ended.
    pub marker: Option<String>,
    /// Most queues of a segment, from 1 on; none, and what is above, stands for 5,000.
    pub max_results: Option<u32>,
    /// Whether their metadata is asked for.
    pub metadata: bool,
}

impl ListQueues {
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

    /// With their metadata.
    #[must_use]
    pub fn with_metadata(mut self) -> Self {
        self.metadata = true;
        self
    }

    /// How many queues a segment of it holds at most.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue` if none are asked for.
    pub fn results(&self) -> Result<usize> {
        match self.max_results.map(usize::try_from) {
            None | Some(Err(_)) => Ok(LIST_RESULTS),
            Some(Ok(0)) => {
                let code = ErrorCode::OutOfRangeQueryParameterValue;
                let message = format!("{} Ask for 1 to {LIST_RESULTS} queues.", code.message());
                Err(TableError::with_message(code, message))
            }
            Some(Ok(count)) => Ok(count.min(LIST_RESULTS)),
        }
    }
}

/// One queue of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueItem {
    /// What it is called.
    pub name: QueueName,
    /// Its metadata, if that was asked for.
    pub metadata: Option<Metadata>,
}

/// One response of a listing of queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuesSegment {
    /// In the order of their names.
    pub queues: Vec<QueueItem>,
    /// Where to go on; none at the end.
    pub next_marker: Option<String>,
}
