//! Bounded retries of transient failures.

use std::time::Duration;

use futures_timer::Delay;

use crate::{Error, Tables, core::error::may_pass};

/// Wait before the first retry. It doubles with each further retry, up to 1.28 s.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MOST_DOUBLINGS: u32 = 7;

/// Number of remaining retries.
#[derive(Debug)]
pub(crate) struct Patience {
    left: u32,
    retries: u32,
}

impl Patience {
    pub(crate) const fn new(retries: u32) -> Self {
        Self { left: retries, retries: 0 }
    }

    /// Waits before another attempt. Returns `false` if the failure is not transient or no retries are left.
    pub(crate) async fn is_to_retry(&mut self, tables: &Tables, error: &Error) -> bool {
        // A missing key is not resolved by waiting.
        let is_transient = may_pass(error) && !matches!(error, Error::Decode(_));
        if self.left == 0 || !is_transient {
            return false;
        }
        self.left -= 1;
        if tables.may_wait() {
            Delay::new(FIRST_WAIT * (1 << self.retries.min(MOST_DOUBLINGS))).await;
        }
        self.retries += 1;
        true
    }
}
