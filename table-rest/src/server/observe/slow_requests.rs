//! The last slow requests, in bounded memory.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Serialize, Serializer};

/// Maximum number of requests.
const MOST: usize = 500;

/// Maximum number of bytes of a text.
const MOST_TEXT: usize = 256;

/// The last 500 slow requests of a server, for its operator. Clones share them.
///
/// They serialize as a list, the newest first: the time, and the [fields](super::telemetry::SLOW_FIELDS) of the slow log.
/// Texts of more than 256 bytes are cut.
#[derive(Clone, Default)]
pub struct SlowRequests(Arc<Mutex<VecDeque<SlowRequest>>>);

impl SlowRequests {
    /// Adds a request. Beyond 500, the oldest one is removed.
    pub fn push(&self, mut request: SlowRequest) {
        request.cut();
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if requests.len() >= MOST {
            requests.pop_back();
        }
        requests.push_front(request);
    }

    /// Returns the requests, the newest first.
    #[must_use]
    pub fn newest(&self) -> Vec<SlowRequest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Serialize for SlowRequests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Requests do not wait for the serializer.
        serializer.collect_seq(self.newest())
    }
}

impl fmt::Debug for SlowRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlowRequests").finish_non_exhaustive()
    }
}

/// A slow request, without keys, values and literals.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct SlowRequest {
    /// Time of the complete head of the request.
    pub time: String,
    /// Service.
    pub service: &'static str,
    /// Account.
    pub account: String,
    /// Request id.
    pub id: String,
    /// Address of the client.
    pub peer: String,
    /// Trace id of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Operation.
    pub operation: &'static str,
    /// Table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Hash of the only partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Class of the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'static str>,
    /// Number of key ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<usize>,
    /// Condition that is checked on each entity, with `?` for literals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Number of operations of a transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations: Option<usize>,
    /// Entities, messages or blobs read.
    pub read: u64,
    /// Entities, messages or blobs returned.
    pub returned: u64,
    /// Size of the response in bytes.
    pub bytes: u64,
    /// Status of the response.
    pub status: u16,
    /// Code of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Cause of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time until the start of the response in microseconds.
    pub micros: u64,
    /// Time to verify the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_micros: Option<u64>,
    /// Time to wait for a turn or for memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_micros: Option<u64>,
    /// Time to plan a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_micros: Option<u64>,
    /// Time to read entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_micros: Option<u64>,
    /// Time to wait for the commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_wait_micros: Option<u64>,
}

impl SlowRequest {
    /// Cuts the texts whose length a client determines.
    fn cut(&mut self) {
        let Self { account, table, filter, code, reason, .. } = self;
        for text in [Some(account), table.as_mut(), filter.as_mut(), code.as_mut(), reason.as_mut()] {
            let Some(text) = text.filter(|text| text.len() > MOST_TEXT) else { continue };
            let mut end = MOST_TEXT - '…'.len_utf8();
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
            text.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_requests_are_kept_and_their_texts_are_cut() {
        let requests = SlowRequests::default();
        for read in 0..=MOST as u64 {
            let (account, filter) = ("x".repeat(1_000), Some("ä".repeat(1_000)));
            requests.push(SlowRequest { account, filter, read, ..SlowRequest::default() });
        }
        let requests = requests.0.lock().unwrap();
        assert_eq!(requests.len(), MOST);
        let reads: Vec<_> = requests.iter().map(|request| request.read).collect();
        assert_eq!(reads, (1..=MOST as u64).rev().collect::<Vec<_>>());
        for request in &*requests {
            assert_eq!(request.account, format!("{}…", "x".repeat(253)));
            assert_eq!(request.filter, Some(format!("{}…", "ä".repeat(126))));
        }
    }
}
