//! A clock that is wrong, drifts and steps.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use table_store::Timestamp;
use table_tests::seed::Seed;

/// Most seconds that a clock is ahead of or behind the time.
#[derive(Clone, Debug)]
pub struct Skew {
    began: Instant,
    /// The offset in milliseconds, from this time on.
    steps: Arc<[(Duration, i64)]>,
    /// Parts of a thousand by which it runs too fast or too slow.
    drift: i64,
}

impl Skew {
    /// A clock that is wrong by at most `most`; in half of the cases none, which is a clock that is right.
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

    /// A clock that is ahead.
    #[must_use]
    pub fn ahead(by: Duration) -> Self {
        Self { began: Instant::now(), steps: [(Duration::ZERO, by.as_millis() as i64)].into(), drift: 0 }
    }

    /// What it shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let since = self.began.elapsed();
        let step = self.steps.iter().rev().find(|(from, _)| *from <= since).map_or(0, |(_, offset)| *offset);
        // The drift is bounded by that of a minute: clocks are set again.
        let offset = step + (since.as_millis() as i64 % 60_000) * self.drift / 1_000;
        let now = Timestamp::now();
        Timestamp::from_ticks(now.ticks() + offset * 10_000).unwrap_or(now)
    }
}
