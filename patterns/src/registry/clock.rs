use std::{
    fmt::Debug,
    time::{Duration, Instant},
};

/// A clock that never goes back: what a program measures by how old its knowledge is.
#[doc(hidden)]
pub trait LeaseClock: Debug + Send + Sync + 'static {
    /// The time since some instant.
    fn now(&self) -> Duration;
}

/// The machine's.
#[derive(Debug)]
pub(super) struct Monotonic(Instant);

impl Monotonic {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }
}

impl LeaseClock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
