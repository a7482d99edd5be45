//! A clock under the test's control.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use table_store::{Clock, Random, Timestamp};

/// Start time of a clock: 2025-11-20, in ticks of 100 ns.
pub const START: i64 = 638_992_000_000_000_000;

/// A clock that advances by 0.1 ms with each read, and jumps on request. Clones share the clock.
#[derive(Clone, Debug)]
pub struct SimClock(Arc<AtomicI64>);

impl Default for SimClock {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(START)))
    }
}

impl SimClock {
    /// Jumps by this number of ticks, backwards if negative.
    pub fn jump(&self, ticks: i64) {
        self.0.fetch_add(ticks, Ordering::Relaxed);
    }
}

impl Clock for SimClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(self.0.fetch_add(1_000, Ordering::Relaxed)).unwrap_or(Timestamp::MAX)
    }
}

/// A source of fixed bytes, so that runs are reproducible.
#[derive(Clone, Copy, Debug)]
pub struct SameBytes;

impl Random for SameBytes {
    fn fill(&self, bytes: &mut [u8]) -> std::io::Result<()> {
        bytes.fill(0x5a);
        Ok(())
    }
}
