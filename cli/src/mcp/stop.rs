//! The end of a call: it is cancelled, or its time is over.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::failure::Failure;

/// When a call must end.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    cancelled: CancellationToken,
    started: Instant,
    timeout: Duration,
}

impl Stop {
    pub(super) fn new(cancelled: CancellationToken, timeout: Duration) -> Self {
        Self { cancelled, started: Instant::now(), timeout }
    }

    /// Returns the result of a part of the call, or the reason why the call ended before it. The future is then
    /// dropped. A read of a file runs inline in a poll, so it is noticed after the current page.
    pub(super) async fn limit<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Err(Failure::cancelled()),
            done = work => done,
            () = tokio::time::sleep_until(self.started + self.timeout) => Err(Failure::timed_out(self.timeout)),
        }
    }

    /// Returns whether half of the time is over: a page should end.
    pub(super) fn is_late(&self) -> bool {
        self.started.elapsed() >= self.timeout / 2
    }
}
