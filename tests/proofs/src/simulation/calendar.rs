use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use table_patterns::LeaseClock;
use table_store::{Clock, Timestamp};

/// A clock that advances only on request. The store and all processes share it.
#[derive(Clone, Debug)]
pub struct Calendar(Arc<AtomicI64>);

impl Calendar {
    /// Creates a calendar at the start of 1970.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(AtomicI64::new(Timestamp::UNIX_EPOCH.ticks())))
    }

    /// Advances the time.
    pub fn pass(&self, time: Duration) {
        let ticks = i64::try_from(time.as_nanos() / 100).unwrap_or(i64::MAX);
        self.0.fetch_add(ticks, Ordering::Relaxed);
    }

    pub(crate) fn since(&self, earlier: Duration) -> Duration {
        LeaseClock::now(self).saturating_sub(earlier)
    }
}

impl Default for Calendar {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for Calendar {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(self.0.load(Ordering::Relaxed)).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl LeaseClock for Calendar {
    fn now(&self) -> Duration {
        Clock::now(self).duration_since(Timestamp::UNIX_EPOCH)
    }
}
