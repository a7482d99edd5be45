//! Timestamps that strictly rise, whatever the clock does, also across restarts.

use crate::{StorageFault, Timestamp};

/// How far past the time at hand times are reserved in the file, in ticks: one second.
const AHEAD: i64 = 10_000_000;

/// The latest reading of a clock that is believed: the year 9000. A clock that runs wild must not use up the ticks
/// that are left, or nothing could be written ever after.
pub(super) const LATEST: i64 = 2_839_809_888_000_000_000;

/// What is believed of a clock's reading, in ticks.
pub(super) fn believed(now: Timestamp) -> i64 {
    now.ticks().clamp(Timestamp::MIN_STORED.ticks(), LATEST)
}

/// A time that was reached for sure when the file had this one reserved.
pub(super) fn reached(reserved: i64) -> i64 {
    reserved.saturating_sub(AHEAD)
}

/// Gives times out, each above all earlier ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamps {
    last: i64,
    /// Up to here the file says that times may have been given out; a restart goes on above.
    reserved: i64,
}

/// A time for one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    pub(super) time: Timestamp,
    /// What must be reserved in the file, in the transaction that uses the time.
    pub(super) reserve: Option<i64>,
}

impl Stamps {
    /// Goes on above what the file says.
    pub(super) fn above(reserved: i64) -> Self {
        Self { last: reserved, reserved }
    }

    /// The time that a request gets now. It counts as given out only when it is accepted.
    pub(super) fn next(self, now: Timestamp) -> Result<Stamp, StorageFault> {
        let next = believed(now).max(self.last.saturating_add(1));
        let time = Timestamp::from_ticks(next)
            .ok_or_else(|| StorageFault::Bug { what: "all timestamps are used up".to_owned() })?;
        Ok(Stamp { time, reserve: (next > self.reserved).then(|| next.saturating_add(AHEAD)) })
    }

    /// The time is used, and its reservation is part of the transaction.
    pub(super) fn accept(&mut self, stamp: Stamp) {
        self.last = stamp.time.ticks();
        self.reserved = stamp.reserve.unwrap_or(self.reserved);
    }

    /// The transaction came to nothing, and its reservations with it. Times used in it stay used.
    pub(super) fn roll_back(&mut self, before: Self) {
        self.reserved = before.reserved;
    }

    /// The last time given out: what a clean close leaves in the file.
    pub(super) fn last(self) -> i64 {
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
