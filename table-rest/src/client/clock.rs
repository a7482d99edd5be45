use std::{
    fmt,
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use uuid::Uuid;

/// The clock of retries. Tests provide an implementation.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Returns the time since an arbitrary fixed instant. It never decreases.
    fn elapsed(&self) -> Duration;

    /// Completes after a duration.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Returns a random number, used as jitter between clients that were rejected simultaneously.
    fn random(&self) -> u64;
}

/// The system clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    began: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { began: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }

    fn random(&self) -> u64 {
        Uuid::new_v4().as_u64_pair().1
    }
}
