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
    pub(super) fn push(&self, mut request: SlowRequest) {
        request.cut();
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if requests.len() >= MOST {
            requests.pop_back();
        }
        requests.push_front(request);
    }
}

impl Serialize for SlowRequests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Requests do not wait for the serializer.
        let requests = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        serializer.collect_seq(requests)
    }
}

impl fmt::Debug for SlowRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlowRequests").finish_non_exhaustive()
    }
}

/// A slow request, without keys, values and literals.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct SlowRequest {
    pub(super) time: String,
    pub(super) service: &'static str,
    pub(super) account: String,
    pub(super) id: String,
    pub(super) peer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trace_id: Option<String>,
    pub(super) operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) partition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ranges: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) filter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operations: Option<usize>,
    pub(super) read: u64,
    pub(super) returned: u64,
    pub(super) bytes: u64,
    pub(super) status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) micros: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) auth_micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queue_micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plan_micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit_wait_micros: Option<u64>,
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
