//! A clock that runs faster than the machine's, so that short runs do not wait for minutes.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use table_patterns::LeaseClock;
use table_store::{Clock, Timestamp};

/// The clock of the store: the same in all lives of the process.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Fast {
    /// Microseconds from 1970 to the start of the run.
    began: u64,
    speed: u32,
}

/// The clock of the leases: it starts with the process.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    began: Instant,
    speed: u32,
}

fn micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

impl Fast {
    #[must_use]
    pub fn new(speed: u32) -> Self {
        Self { began: micros(), speed }
    }

    #[must_use]
    pub fn elapsed(self) -> Elapsed {
        Elapsed { began: Instant::now(), speed: self.speed }
    }

    /// Returns the time of the machine in which the clock advances by `time`.
    #[must_use]
    pub fn real(self, time: Duration) -> Duration {
        time / self.speed
    }
}

impl Clock for Fast {
    fn now(&self) -> Timestamp {
        let passed = Duration::from_micros(micros().saturating_sub(self.began)) * self.speed;
        Timestamp::UNIX_EPOCH.saturating_add(Duration::from_micros(self.began)).saturating_add(passed)
    }
}

impl LeaseClock for Elapsed {
    fn now(&self) -> Duration {
        self.began.elapsed() * self.speed
    }
}
