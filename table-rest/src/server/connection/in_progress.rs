use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::server::{
    Spelling,
    connections::{Busy, Presence},
};

/// The requests of one connection that are being processed: from the call of the service until the last byte of the
/// response has been produced. During that time the client waits for the server, and no limit on client silence
/// applies.
#[derive(Clone, Debug, Default)]
pub(super) struct InProgress {
    shared: Arc<Shared>,
    presence: Option<Arc<Presence>>,
}

#[derive(Debug, Default)]
struct Shared {
    processed: AtomicUsize,
    /// The spellings of the released heads whose requests have not started, in order. The HTTP library starts one
    /// request for each head, or ends the connection.
    heads: Mutex<VecDeque<Spelling>>,
}

/// A request in progress. It ends on drop.
#[derive(Debug)]
pub(in crate::server) struct Processing {
    shared: Arc<Shared>,
    busy: Option<Busy>,
}

impl InProgress {
    /// Creates the requests of the connection with this state.
    pub(super) fn of(presence: Arc<Presence>) -> Self {
        Self { shared: Arc::default(), presence: Some(presence) }
    }

    /// Announces the request of a released head.
    pub(super) fn announce(&self, spelling: Spelling) {
        self.shared.heads.lock().unwrap_or_else(PoisonError::into_inner).push_back(spelling);
    }

    /// Counts a request. Returns the spelling of its metadata names, too.
    pub(super) fn start(&self) -> (Processing, Spelling) {
        self.shared.processed.fetch_add(1, Ordering::Relaxed);
        let busy = self.presence.as_ref().map(Presence::begin);
        let spelling = self.shared.heads.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        (Processing { shared: Arc::clone(&self.shared), busy }, spelling.unwrap_or_default())
    }

    /// Returns `true` while a request is being processed.
    pub(super) fn any(&self) -> bool {
        self.shared.processed.load(Ordering::Relaxed) > 0
    }
}

impl Processing {
    /// Returns the mark of the connection as busy, which can outlast the processing.
    pub(in crate::server) fn take_busy(&mut self) -> Option<Busy> {
        self.busy.take()
    }
}

impl Drop for Processing {
    fn drop(&mut self) {
        self.shared.processed.fetch_sub(1, Ordering::Relaxed);
    }
}
