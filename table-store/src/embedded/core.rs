//! What readers and the committer share.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{
    OpenOptions, backup::UnderWay, blobs::Pins, catalog::Names, engine::Engine, settings::PropertiesCache,
    steady::Steady, token::TokenKey,
};
use crate::Timestamp;

/// One open store.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) engine: Box<dyn Engine>,
    pub(super) names: Names,
    pub(super) token_key: TokenKey,
    pub(super) options: OpenOptions,
    pub(super) counters: Counters,
    /// What readers and writers of blobs hold on to.
    pub(super) pins: Arc<Pins>,
    /// Copies that are being made.
    pub(super) copies: Arc<UnderWay>,
    /// The properties of the services, as far as they were read.
    pub(super) properties: Arc<PropertiesCache>,
    /// The time that queues go by.
    pub(super) steady: Steady,
}

impl Core {
    /// The time now, which never steps back.
    pub(super) fn now(&self) -> Timestamp {
        self.steady.now(&*self.options.clock)
    }
}

/// What has happened since the store was opened.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Requests that the committer answered.
    pub(super) requests: AtomicU64,
    /// Groups of requests that it took together.
    pub(super) groups: AtomicU64,
    /// Transactions of the engine that were committed, sweeps among them.
    pub(super) commits: AtomicU64,
}

/// Adds to a counter. Nothing is ordered by it.
pub(super) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
