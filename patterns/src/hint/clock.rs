use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use table_store::Timestamp;

use super::LANDS;
use crate::LeaseClock;

type Wall = dyn Fn() -> Timestamp + Send + Sync;

/// The clocks of a handle. Durations are measured with two of them, and the longer one counts: the monotonic clock does not
/// step, the wall clock also runs while the machine sleeps. No time of one machine is compared with that of another.
#[derive(Clone, Default)]
pub(crate) struct Clock {
    wall: Option<Arc<Wall>>,
    steady: Option<Arc<dyn LeaseClock>>,
}

/// A point in time on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    instant: Instant,
    at: Timestamp,
    /// By the monotonic clock of a test.
    steady: Option<Duration>,
}

impl Clock {
    /// A wall clock that a test moves.
    pub(crate) fn by(self, time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { wall: Some(Arc::new(time)), ..self }
    }

    /// A monotonic clock that a test moves.
    pub(crate) fn steady_by(self, clock: Arc<dyn LeaseClock>) -> Self {
        Self { steady: Some(clock), ..self }
    }

    /// Returns whether time passes by itself, and not because a test moves it.
    pub(crate) const fn goes_on(&self) -> bool {
        self.wall.is_none()
    }

    /// Returns the time by the wall clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.wall.as_ref().map_or_else(Timestamp::now, |time| time())
    }

    pub(crate) fn moment(&self) -> Moment {
        let steady = self.steady.as_ref().map(|clock| clock.now());
        Moment { instant: Instant::now(), at: self.now(), steady }
    }

    /// Returns the time since a moment of this clock.
    pub(crate) fn since(&self, earlier: Moment) -> Duration {
        let steady = self.steady.as_ref().zip(earlier.steady);
        let steady = steady.map(|(clock, earlier)| clock.now().saturating_sub(earlier));
        let walled = self.now().duration_since(earlier.at);
        earlier.instant.elapsed().max(walled).max(steady.unwrap_or_default())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// The time for which attempts may rely on a hint, as its writer measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Before the hint was put: the service inserted it then or later.
    pub(super) put: Moment,
    pub(super) holds: Duration,
}

impl Cover {
    /// Returns whether an attempt that starts now takes effect before the hint's deadline, or never. To be called after the
    /// response to the put, which may have come late. If it returns `false`, another hint must be put.
    pub(crate) fn covers(self, clock: &Clock) -> bool {
        clock.since(self.put).saturating_add(LANDS) <= self.holds
    }
}
