use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use table_model::Timestamp;

use crate::LeaseClock;

/// Maximum age of a request. An attempt takes effect within this time of its start, or never: no request is sent after
/// the first half, and a request that was sent is executed or rejected in the second half.
pub const MAX_REQUEST_AGE: Duration = Duration::from_secs(120);

type Wall = dyn Fn() -> Timestamp + Send + Sync;

/// Clocks of a handle. Durations are measured with two clocks, and the longer duration counts: the monotonic clock has
/// no steps, and the wall clock also advances while the machine sleeps. Times of different machines are never compared.
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
    /// Time of a monotonic clock in tests.
    steady: Option<Duration>,
}

impl Clock {
    /// Sets a wall clock that a test controls.
    pub(crate) fn by(self, time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { wall: Some(Arc::new(time)), ..self }
    }

    /// Sets a monotonic clock that a test controls.
    pub(crate) fn steady_by(self, clock: Arc<dyn LeaseClock>) -> Self {
        Self { steady: Some(clock), ..self }
    }

    /// Returns whether time advances automatically, rather than under the control of a test.
    pub(crate) const fn goes_on(&self) -> bool {
        self.wall.is_none()
    }

    /// Returns the time of the wall clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.wall.as_ref().map_or_else(Timestamp::now, |time| time())
    }

    pub(crate) fn moment(&self) -> Moment {
        let steady = self.steady.as_ref().map(|clock| clock.now());
        Moment { instant: Instant::now(), at: self.now(), steady }
    }

    /// Returns the time elapsed since a moment of this clock.
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

/// Validity period of a wake-up message, as measured by its writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Time before the message was put: the service inserted it at this time or later.
    pub(crate) put: Moment,
    pub(crate) holds: Duration,
}

impl Cover {
    /// Returns whether an attempt that starts now takes effect before the deadline of the message, or never. Must be
    /// called after the response to the put, which may have been late. If it returns `false`, another message must be
    /// put.
    pub(crate) fn covers(self, clock: &Clock) -> bool {
        clock.since(self.put).saturating_add(MAX_REQUEST_AGE) <= self.holds
    }
}
