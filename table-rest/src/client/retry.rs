use std::time::Duration;

/// How often, and for how long, a request is sent again that was not done.
///
/// Reads are sent again after whatever failure may pass. Of writes only those that were certainly not done are: the
/// server said so (`ServerBusy`), or nobody was reached. See [`Lost`] for those whose answer was lost.
///
/// ```
/// use std::time::Duration;
/// use table_rest::client::Retry;
///
/// let impatient = Retry { tries: 2, total: Duration::from_secs(1), ..Retry::default() };
/// assert!(impatient.first_wait < impatient.total);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often it is sent at most; 1 for never again.
    pub tries: u32,
    /// How long the first wait is, give or take a fifth; each is twice the one before. The server may ask for more.
    pub first_wait: Duration,
    /// The longest wait of our own choosing.
    pub longest_wait: Duration,
    /// Nothing is sent any more so long after the first time. With the 30 s that the service takes at most for what it was
    /// sent, a write has taken effect within twice that time or never will.
    pub total: Duration,
}

impl Default for Retry {
    /// Five times within 30 s, after waits of about 0.5, 1, 2 and 4 s.
    fn default() -> Self {
        Self {
            tries: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(10),
            total: Duration::from_secs(30),
        }
    }
}

impl Retry {
    /// Nothing is sent twice.
    pub const NEVER: Self =
        Self { tries: 1, first_wait: Duration::ZERO, longest_wait: Duration::ZERO, total: Duration::ZERO };

    /// How long to wait before it is sent again that was sent `tries` times, the first time `elapsed` ago; none to give up.
    /// `asked` is what the server asked for.
    pub(super) fn wait(
        &self,
        tries: u32,
        elapsed: Duration,
        asked: Option<Duration>,
        random: u64,
    ) -> Option<Duration> {
        if tries >= self.tries {
            return None;
        }
        let doubled = self.first_wait.saturating_mul(1 << tries.saturating_sub(1).min(16));
        // 0.8 to 1.2 of it, in steps of a thousandth.
        let thousandths = 800 + u32::try_from(random % 401).unwrap_or(0);
        let own = doubled.min(self.longest_wait).saturating_mul(thousandths) / 1000;
        let wait = own.max(asked.unwrap_or_default());
        (elapsed.saturating_add(wait) <= self.total).then_some(wait)
    }
}

/// Handling of writes of entities whose response was lost: they may have been done, may still be done, or never are.
///
/// Writes of blobs leave a token in the blob's metadata, which shows in any case whether they were done. A lost response to
/// creating or deleting a table, a queue or a container is always [unknown](table_store::TableError::is_unknown).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lost {
    /// The client reads the row. If it still has the version that the write requires, the write was not done and is sent
    /// again, as only one of the copies can find that version.
    ///
    /// Everything else is [unknown](table_store::TableError::is_unknown). Another client may have written the same entity
    /// or deleted it, and a write without a version could take effect again after a later one.
    #[default]
    Settle,
    /// The outcome is [unknown](table_store::TableError::is_unknown): the caller has better evidence.
    Tell,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn waits_double_within_a_fifth_and_end() {
        let retry = Retry::default();
        let least = |tries| retry.wait(tries, Duration::ZERO, None, 0);
        let most = |tries| retry.wait(tries, Duration::ZERO, None, 400);
        assert_eq!(least(1), Some(Duration::from_millis(400)));
        assert_eq!(most(1), Some(Duration::from_millis(600)));
        assert_eq!(least(4), Some(Duration::from_millis(3200)));
        assert_eq!(least(5), None);
        let patient = Retry { tries: u32::MAX, ..retry };
        assert_eq!(patient.wait(1_000_000, Duration::ZERO, None, 0), Some(seconds(8)));
    }

    #[test]
    fn the_server_is_given_the_time_it_asks_for_or_the_request_is_given_up() {
        let retry = Retry::default();
        assert_eq!(retry.wait(1, seconds(5), Some(seconds(20)), 0), Some(seconds(20)));
        assert_eq!(retry.wait(1, seconds(5), Some(seconds(26)), 0), None);
        assert_eq!(retry.wait(1, seconds(5), Some(Duration::MAX), 0), None);
        // Less than our own wait changes nothing.
        assert_eq!(retry.wait(2, Duration::ZERO, Some(Duration::ZERO), 200), Some(seconds(1)));
        assert_eq!(Retry::NEVER.wait(1, Duration::ZERO, None, 0), None);
    }
}
