use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The requests of one connection that are being processed: from the call of the service until the last byte of the
/// response has been produced. During that time the client waits for the server, and no limit on client silence
/// applies.
#[derive(Clone, Debug, Default)]
pub(super) struct InProgress(Arc<AtomicUsize>);

/// A request in progress. It ends on drop.
#[derive(Debug)]
pub(in crate::server) struct Processing(Arc<AtomicUsize>);

impl InProgress {
    /// Counts a request.
    pub(super) fn start(&self) -> Processing {
        self.0.fetch_add(1, Ordering::Relaxed);
        Processing(Arc::clone(&self.0))
    }

    /// Returns `true` while a request is being processed.
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Processing {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
