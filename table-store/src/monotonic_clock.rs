//! Monotonic time of queues and leases. It equals the clock while the clock moves forward, and never moves backwards.

use std::sync::{Mutex, PoisonError};

use table_model::Timestamp;

use crate::{
    Clock,
    timestamps::{LATEST, believed},
};

/// A monotonic clock that follows the system clock. If the system clock moves backwards, it continues from its last
/// value. A visibility timeout of thirty seconds therefore ends after thirty seconds, neither earlier nor much later.
#[derive(Debug)]
pub(crate) struct Steady(Mutex<Reading>);

#[derive(Clone, Copy, Debug)]
struct Reading {
    /// Last reading of the clock; `None` before the first reading.
    clock: Option<i64>,
    /// Last returned time.
    time: i64,
}

impl Steady {
    /// Creates a clock that starts at the given time in ticks, or later.
    pub(crate) fn from(reached: i64) -> Self {
        Self(Mutex::new(Reading { clock: None, time: reached.clamp(Timestamp::MIN_STORED.ticks(), LATEST) }))
    }

    /// Returns the current time. The clock is read under the lock; otherwise two readings could be reordered.
    pub(crate) fn now(&self, clock: &dyn Clock) -> Timestamp {
        let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = believed(clock.now());
        reading.time = match reading.clock {
            Some(before) => reading.time.saturating_add(now.saturating_sub(before).max(0)),
            None => reading.time.max(now),
        };
        reading.time = reading.time.min(LATEST);
        reading.clock = Some(now);
        Timestamp::from_ticks(reading.time).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    const START: i64 = 630_000_000_000_000_000;

    #[derive(Debug)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp::from_ticks(self.0.load(Ordering::SeqCst)).unwrap()
        }
    }

    fn readings(steady: &Steady, clock: &[i64]) -> Vec<i64> {
        let hand = Hand(AtomicI64::new(0));
        let read = |offset: &i64| {
            hand.0.store(START + offset, Ordering::SeqCst);
            steady.now(&hand).ticks() - START
        };
        clock.iter().map(read).collect()
    }

    #[test]
    fn it_is_the_clocks_time_until_that_steps_back_and_goes_on_from_there() {
        let clock = [0, 5, 100, 40, 41, 41, 70, 20, 25];
        assert_eq!(readings(&Steady::from(0), &clock), [0, 5, 100, 100, 101, 101, 130, 130, 135]);
    }

    #[test]
    fn it_begins_where_it_was_before_if_the_clock_is_behind() {
        assert_eq!(readings(&Steady::from(START + 50), &[10, 12, 100]), [50, 52, 140]);
        assert_eq!(readings(&Steady::from(START + 50), &[60, 61]), [60, 61]);
    }

    #[test]
    fn a_clock_that_runs_wild_leaves_times_to_go_on_with() {
        let steady = Steady::from(i64::MAX);
        let hand = Hand(AtomicI64::new(0));
        for ticks in [0, Timestamp::MAX.ticks(), 0, Timestamp::MAX.ticks()] {
            hand.0.store(ticks, Ordering::SeqCst);
            assert_eq!(steady.now(&hand).ticks(), LATEST);
        }
    }
}
