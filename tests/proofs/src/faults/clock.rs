//! An inaccurate clock that drifts and steps.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use table_store::Timestamp;
use table_tests::seed::Seed;

/// A clock with a bounded offset from the correct time.
#[derive(Clone, Debug)]
pub struct Skew {
    began: Instant,
    /// The offsets in milliseconds, each with its start time.
    steps: Arc<[(Duration, i64)]>,
    /// Drift in parts per thousand.
    drift: i64,
}

impl Skew {
    /// Returns a clock with an offset of at most `most`; in half of the cases `None`, which means a correct clock.
    #[must_use]
    pub fn draw(seed: &mut Seed, most: Duration) -> Option<Self> {
        let most = most.as_millis() as i64;
        if most == 0 || seed.chance(1, 2) {
            return None;
        }
        let mut offset = || seed.below(2 * most as usize + 1) as i64 - most;
        let first = offset();
        let mut steps = vec![(Duration::ZERO, first)];
        for number in 1..20 {
            let at = Duration::from_secs(number * 20);
            steps.push((at, offset()));
        }
        Some(Self { began: Instant::now(), steps: steps.into(), drift: first % 21 - 10 })
    }

    /// Returns a clock that is ahead.
    #[must_use]
    pub fn ahead(by: Duration) -> Self {
        Self { began: Instant::now(), steps: [(Duration::ZERO, by.as_millis() as i64)].into(), drift: 0 }
    }

    /// Returns the time that the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let since = self.began.elapsed();
        let step = self.steps.iter().rev().find(|(from, _)| *from <= since).map_or(0, |(_, offset)| *offset);
        // The drift is bounded by the drift of a minute, because clocks are synchronized.
        let offset = step + (since.as_millis() as i64 % 60_000) * self.drift / 1_000;
        let now = Timestamp::now();
        Timestamp::from_ticks(now.ticks() + offset * 10_000).unwrap_or(now)
    }
}
