use std::{
    fmt,
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use uuid::Uuid;

/// Time as retries go by it. Tests bring their own.
pub trait Clock: Send + Sync + fmt::Debug {
    /// How long ago some fixed moment was. It never goes back.
    fn elapsed(&self) -> Duration;

    /// Comes back after so long.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Any number: so that clients that were refused together do not come back together.
    fn random(&self) -> u64;
}

/// This machine's.
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
