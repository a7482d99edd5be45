use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use table_model::Timestamp;
use table_store::Clock;

use crate::LeaseClock;

/// A clock that stands still until the test moves it. Clones share the time.
///
/// ```
/// use std::time::Duration;
///
/// use table_patterns::testing::TestClock;
///
/// let clock = TestClock::new("2030-01-01T00:00:00Z".parse()?);
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(clock.now().to_string(), "2030-01-01T00:01:30Z");
/// # Ok::<(), table_patterns::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TestClock {
    start: Timestamp,
    now: Arc<Mutex<Timestamp>>,
}

impl TestClock {
    /// Creates a clock at a time.
    pub fn new(start: Timestamp) -> Self {
        Self { start, now: Arc::new(Mutex::new(start)) }
    }

    /// Returns the time of the clock.
    pub fn now(&self) -> Timestamp {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the clock forward.
    pub fn advance(&self, time: Duration) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        *now = now.saturating_add(time);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Self::now(self)
    }
}

impl LeaseClock for TestClock {
    fn now(&self) -> Duration {
        Self::now(self).duration_since(self.start)
    }
}
