//! State shared by readers and the committer.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{
    OpenOptions, backup::UnderWay, blobs::Pins, catalog::Names, engine::Engine, settings::PropertiesCache,
    steady::Steady, token::TokenKey,
};
use crate::Timestamp;

/// An open store.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) engine: Box<dyn Engine>,
    pub(super) names: Names,
    pub(super) token_key: TokenKey,
    pub(super) options: OpenOptions,
    pub(super) counters: Counters,
    /// Data that is in use by readers and writers of blobs.
    pub(super) pins: Arc<Pins>,
    /// Backups in progress.
    pub(super) copies: Arc<UnderWay>,
    /// Cached properties of the services.
    pub(super) properties: Arc<PropertiesCache>,
    /// Monotonic time of the queues.
    pub(super) steady: Steady,
}

impl Core {
    /// Returns the current monotonic time.
    pub(super) fn now(&self) -> Timestamp {
        self.steady.now(&*self.options.clock)
    }
}

/// Counters since the store was opened.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Number of requests completed by the committer.
    pub(super) requests: AtomicU64,
    /// Number of groups of requests.
    pub(super) groups: AtomicU64,
    /// Number of engine transactions that were committed, including sweeps.
    pub(super) commits: AtomicU64,
}

/// Increments a counter, without memory ordering.
pub(super) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
