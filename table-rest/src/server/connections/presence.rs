use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

use tokio::sync::Notify;

use super::network::Network;

/// Order in which connections started to wait, for all servers of the process.
static WAITS: AtomicU64 = AtomicU64::new(0);

/// The state of one connection, as far as it determines which connection is closed to make room.
#[derive(Debug)]
pub(in crate::server) struct Presence {
    pub(super) network: Network,
    /// Number of requests in progress, and of large responses that are being sent.
    busy: AtomicUsize,
    /// Start of the current wait, in the order of all waits.
    since: AtomicU64,
    is_authenticated: AtomicBool,
    is_evicted: AtomicBool,
    end: Notify,
}

/// A period in which a connection is not closed to make room.
#[derive(Debug)]
pub(in crate::server) struct Busy(Arc<Presence>);

impl Presence {
    pub(super) fn new(network: Network) -> Self {
        Self {
            network,
            busy: AtomicUsize::new(0),
            since: AtomicU64::new(WAITS.fetch_add(1, Ordering::Relaxed)),
            is_authenticated: AtomicBool::new(false),
            is_evicted: AtomicBool::new(false),
            end: Notify::new(),
        }
    }

    /// Starts a busy period.
    pub(in crate::server) fn begin(self: &Arc<Self>) -> Busy {
        self.busy.fetch_add(1, Ordering::AcqRel);
        Busy(Arc::clone(self))
    }

    /// Returns the start of the wait for a request, in the order of all waits; `None` while the connection is busy.
    pub(super) fn waits_since(&self) -> Option<u64> {
        (self.busy.load(Ordering::Acquire) == 0).then(|| self.since.load(Ordering::Relaxed))
    }

    /// Returns `true` if no request is in progress, and no large response is being sent.
    pub(in crate::server) fn is_waiting(&self) -> bool {
        self.waits_since().is_some()
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.is_authenticated.load(Ordering::Relaxed)
    }

    /// Marks the connection as authenticated. Returns `false` if it is already.
    pub(super) fn authenticate(&self) -> bool {
        !self.is_authenticated.swap(true, Ordering::Relaxed)
    }

    pub(super) fn evict(&self) {
        self.is_evicted.store(true, Ordering::Release);
        self.end.notify_one();
    }

    /// Waits until the connection must end to make room for another one.
    pub(in crate::server) async fn evicted(&self) {
        while !self.is_evicted.load(Ordering::Acquire) {
            self.end.notified().await;
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.since.store(WAITS.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}
