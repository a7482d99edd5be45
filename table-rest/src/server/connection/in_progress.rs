use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::server::connections::{Busy, Presence};

/// The requests of one connection that are being processed: from the call of the service until the last byte of the
/// response has been produced. During that time the client waits for the server, and no limit on client silence
/// applies.
#[derive(Clone, Debug, Default)]
pub(super) struct InProgress {
    count: Arc<AtomicUsize>,
    presence: Option<Arc<Presence>>,
}

/// A request in progress. It ends on drop.
#[derive(Debug)]
pub(in crate::server) struct Processing {
    count: Arc<AtomicUsize>,
    busy: Option<Busy>,
}

impl InProgress {
    /// Creates the requests of the connection with this state.
    pub(super) fn of(presence: Arc<Presence>) -> Self {
        Self { count: Arc::default(), presence: Some(presence) }
    }

    /// Counts a request.
    pub(super) fn start(&self) -> Processing {
        self.count.fetch_add(1, Ordering::Relaxed);
        let busy = self.presence.as_ref().map(Presence::begin);
        Processing { count: Arc::clone(&self.count), busy }
    }

    /// Returns `true` while a request is being processed.
    pub(super) fn any(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 0
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
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
