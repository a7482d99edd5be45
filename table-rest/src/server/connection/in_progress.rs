use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::server::Spelling;

/// The requests of one connection that are being processed: from the call of the service until the last byte of the
/// response has been produced. During that time the client waits for the server, and no limit on client silence
/// applies.
#[derive(Clone, Debug, Default)]
pub(super) struct InProgress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    processed: AtomicUsize,
    /// The spellings of the released heads whose requests have not started, in order. The HTTP library starts one
    /// request for each head, or ends the connection.
    heads: Mutex<VecDeque<Spelling>>,
}

/// A request in progress. It ends on drop.
#[derive(Debug)]
pub(in crate::server) struct Processing(Arc<Shared>);

impl InProgress {
    /// Announces the request of a released head.
    pub(super) fn announce(&self, spelling: Spelling) {
        self.0.heads.lock().unwrap_or_else(PoisonError::into_inner).push_back(spelling);
    }

    /// Counts a request. Returns the spelling of its metadata names, too.
    pub(super) fn start(&self) -> (Processing, Spelling) {
        self.0.processed.fetch_add(1, Ordering::Relaxed);
        let spelling = self.0.heads.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        (Processing(Arc::clone(&self.0)), spelling.unwrap_or_default())
    }

    /// Returns `true` while a request is being processed.
    pub(super) fn any(&self) -> bool {
        self.0.processed.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Processing {
    fn drop(&mut self) {
        self.0.processed.fetch_sub(1, Ordering::Relaxed);
    }
}
