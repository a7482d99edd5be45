//! State shared by readers and the committer.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use table_model::{Timestamp, token::TokenKey};

use crate::{
    OpenOptions,
    account::PropertiesCache,
    backup::UnderWay,
    blobs::Pins,
    catalog::Names,
    engine::Engine,
    monotonic_clock::Steady,
    reserved_names::{DeletedNames, ReservedNames, Resource},
};

/// An open store.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) names: Names,
    pub(crate) token_key: TokenKey,
    pub(crate) options: OpenOptions,
    pub(crate) counters: Counters,
    /// Data that is in use by readers and writers of blobs.
    pub(crate) pins: Arc<Pins>,
    /// Backups in progress.
    pub(crate) copies: Arc<UnderWay>,
    /// Cached properties of the services.
    pub(crate) properties: Arc<PropertiesCache>,
    /// Monotonic time of queues and leases.
    pub(crate) steady: Steady,
    /// Names that are reserved by strict deletes.
    pub(crate) reserved: ReservedNames,
}

impl Core {
    /// Returns the current monotonic time.
    pub(crate) fn now(&self) -> Timestamp {
        self.steady.now(&*self.options.clock)
    }

    /// Reserves the name of a deleted resource if deletes are strict.
    pub(crate) fn reserve(&self, resource: Resource, name: &str) {
        if self.options.deleted_names == DeletedNames::Reserved {
            self.reserved.reserve(resource, name, self.now());
        }
    }

    /// Returns whether a name cannot be used yet.
    pub(crate) fn is_reserved(&self, resource: Resource, name: &str) -> bool {
        self.options.deleted_names == DeletedNames::Reserved
            && self.reserved.is_reserved(resource, name, self.now())
    }
}

/// Counters since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Number of requests sent to the committer.
    pub(crate) sent: AtomicU64,
    /// Number of requests that the committer has started.
    pub(crate) requests: AtomicU64,
    /// Number of groups of requests.
    pub(crate) groups: AtomicU64,
    /// Number of engine transactions that were committed, including sweeps.
    pub(crate) commits: AtomicU64,
}

impl Counters {
    /// Returns the number of requests that wait for the committer.
    pub(crate) fn waiting(&self) -> u64 {
        // A request is sent before it is started, so the second number is read first.
        let started = self.requests.load(Ordering::Relaxed);
        self.sent.load(Ordering::Relaxed).saturating_sub(started)
    }
}

/// Increments a counter, without memory ordering.
pub(crate) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
