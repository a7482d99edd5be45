//! A clock under the test's control.

use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicU64, Ordering},
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

/// A source of bytes that differ in each call, but not between runs.
#[derive(Debug, Default)]
pub struct Counting(AtomicU64);

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) -> std::io::Result<()> {
        let number = (self.0.fetch_add(1, Ordering::Relaxed) + 1).to_le_bytes();
        bytes.iter_mut().zip(number.iter().cycle()).for_each(|(byte, number)| *byte = *number);
        Ok(())
    }
}
