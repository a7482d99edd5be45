//! Strictly increasing timestamps, independent of the clock, also across restarts.

use table_model::{StorageFault, Timestamp};

/// Duration in ticks by which reservations in the file are ahead of the current time. Together with [`LEAST`], it is one
/// second, so that a restart continues at most one second before.
const AHEAD: i64 = 10_000_000 - LEAST;

/// Duration in ticks by which reservations are at least ahead of the last timestamp: one millisecond. After a crash the
/// timestamps can be ahead of the clock. Another second for each crash would add up.
const LEAST: i64 = 10_000;

/// Latest accepted clock reading: the year 9000. A wrong clock must not use up the remaining ticks, because no writes
/// would be possible afterwards.
pub(crate) const LATEST: i64 = 2_839_809_888_000_000_000;

/// Clamps a clock reading to the accepted range, in ticks.
pub(crate) fn believed(now: Timestamp) -> i64 {
    now.ticks().clamp(Timestamp::MIN_STORED.ticks(), LATEST)
}

/// Returns a lower bound of the time at which the file reserved this time.
pub(crate) fn reached(reserved: i64) -> i64 {
    reserved.saturating_sub(AHEAD + LEAST)
}

/// Generator of strictly increasing timestamps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamps {
    last: i64,
    /// Upper bound of the timestamps that the file has reserved. A restart continues above it.
    reserved: i64,
}

/// Timestamp of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) time: Timestamp,
    /// New reservation, to be written in the transaction that uses the timestamp.
    pub(crate) reserve: Option<i64>,
}

impl Stamps {
    /// Creates a generator that continues above the reservation in the file.
    pub(crate) fn above(reserved: i64) -> Self {
        Self { last: reserved, reserved }
    }

    /// Returns the timestamp for the next request. It counts as used only when it is accepted.
    pub(crate) fn next(self, now: Timestamp) -> Result<Stamp, StorageFault> {
        let now = believed(now);
        let next = now.max(self.last.saturating_add(1));
        let time = Timestamp::from_ticks(next)
            .ok_or_else(|| StorageFault::Bug { what: "no timestamps are left".to_owned() })?;
        let reserve = now.saturating_add(AHEAD).max(next.saturating_add(LEAST));
        Ok(Stamp { time, reserve: (next > self.reserved).then_some(reserve) })
    }

    /// Marks a timestamp as used. Its reservation is part of the transaction.
    pub(crate) fn accept(&mut self, stamp: Stamp) {
        self.last = stamp.time.ticks();
        self.reserved = stamp.reserve.unwrap_or(self.reserved);
    }

    /// Discards the reservations of a failed transaction. Timestamps used in it stay used.
    pub(crate) fn roll_back(&mut self, before: Self) {
        self.reserved = before.reserved;
    }

    /// Returns the last used timestamp, which a clean close stores in the file.
    pub(crate) fn last(self) -> i64 {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ticks: i64) -> Timestamp {
        Timestamp::from_ticks(ticks).unwrap()
    }

    #[test]
    fn times_rise_while_the_clock_stands_or_steps_back() {
        let start = at(630_000_000_000_000_000);
        let mut stamps = Stamps::above(start.ticks());
        let mut last = start.ticks();
        for now in [50, 50, -7, 30 * AHEAD, 2 * AHEAD, 30 * AHEAD + 1] {
            let stamp = stamps.next(at(start.ticks() + now)).unwrap();
            assert!(stamp.time.ticks() > last && stamp.time.ticks() >= start.ticks() + now);
            last = stamp.time.ticks();
            stamps.accept(stamp);
            assert!(stamps.reserved >= last);
        }
        assert_eq!(stamps.last(), last);
    }

    #[test]
    fn a_reservation_is_asked_for_once_a_second_and_again_after_a_failure() {
        let now = at(630_000_000_000_000_000);
        let mut stamps = Stamps::above(0);
        let before = stamps;
        let first = stamps.next(now).unwrap();
        assert_eq!(first.reserve, Some(now.ticks() + AHEAD));
        stamps.accept(first);
        assert_eq!(stamps.next(now).unwrap().reserve, None);
        stamps.roll_back(before);
        let again = stamps.next(now).unwrap();
        assert!(again.reserve.is_some() && again.time > first.time);
    }

    #[test]
    fn crashes_do_not_move_times_further_ahead_of_the_clock() {
        let start = 630_000_000_000_000_000;
        let mut stamps = Stamps::above(start);
        for crash in 0..1000 {
            // Two milliseconds from one crash to the next.
            let now = start + crash * 2 * LEAST;
            let stamp = stamps.next(at(now)).unwrap();
            assert!(stamp.time.ticks() <= now + AHEAD + LEAST, "{crash}");
            stamps.accept(stamp);
            assert!(reached(stamps.reserved) <= now, "{crash}");
            stamps = Stamps::above(stamps.reserved);
        }
    }

    #[test]
    fn a_clock_at_the_end_of_time_leaves_ticks_to_go_on_with() {
        assert_eq!(Timestamp::from_date(9000, 1, 1).map(Timestamp::ticks), Some(LATEST));
        let mut stamps = Stamps::above(0);
        for now in [Timestamp::MAX, Timestamp::MAX, Timestamp::MIN] {
            let stamp = stamps.next(now).unwrap();
            assert!(stamp.time.ticks() > stamps.last);
            stamps.accept(stamp);
        }
        assert!(stamps.last() < LATEST + 10);
        assert!(Stamps::above(Timestamp::MAX.ticks()).next(Timestamp::MAX).is_err());
    }
}
