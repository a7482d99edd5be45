use std::{
    fmt::Debug,
    time::{Duration, Instant},
};

/// A monotonic clock, used by a program to measure the age of its cached state.
#[doc(hidden)]
pub trait LeaseClock: Debug + Send + Sync + 'static {
    /// Returns the time elapsed since a fixed instant.
    fn now(&self) -> Duration;
}

/// Monotonic clock of the machine.
#[derive(Debug)]
pub(crate) struct Monotonic(Instant);

impl Monotonic {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl LeaseClock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
