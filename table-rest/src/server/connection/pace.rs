//! The total time that a client may make the server wait.

use std::time::Duration;

use tokio::time::Instant;

/// A time allowance. Waiting consumes it, and every transferred byte restores a small part.
///
/// A silent client is dropped after the complete allowance, and a client that sends occasional bytes not much later. A
/// client at the minimum rate is never dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    full: Duration,
    left: Duration,
    byte: Duration,
    since: Option<Instant>,
}

impl Pace {
    pub(super) fn new(full: Duration, least_rate: u32) -> Self {
        Self { full, left: full, byte: Duration::from_secs(1) / least_rate.max(1), since: None }
    }

    /// Records a wait and returns its deadline.
    pub(super) fn wait(&mut self, now: Instant) -> Instant {
        *self.since.get_or_insert(now) + self.left
    }

    /// Records transferred bytes.
    pub(super) fn moved(&mut self, bytes: usize, now: impl FnOnce() -> Instant) {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(now().saturating_duration_since(since));
        }
        if self.left < self.full {
            let given = self.byte.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
            self.left = self.left.saturating_add(given).min(self.full);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Returns the number of seconds, at most 1,000, for which a client with this rate stays connected.
    fn lasts(bytes: usize) -> u32 {
        let start = Instant::now();
        let mut pace = Pace::new(10 * SECOND, 100);
        (1..1000)
            .find(|second| {
                let end = pace.wait(start + SECOND * (second - 1));
                pace.moved(bytes, || start + SECOND * *second);
                end < start + SECOND * *second
            })
            .unwrap_or(1000)
    }

    #[test]
    fn who_keeps_to_the_rate_lasts() {
        assert_eq!(lasts(100), 1000);
        assert_eq!(lasts(5000), 1000);
    }

    #[test]
    fn who_does_not_is_given_up() {
        assert_eq!(lasts(0), 11);
        assert_eq!(lasts(1), 11);
        assert_eq!(lasts(50), 20);
    }
}
