use std::time::Duration;

/// The retry policy: number of attempts and waits between them.
///
/// Reads are retried after any transient failure. Writes are retried only if they certainly had no effect: the server
/// returned `ServerBusy`, or no connection was established. See [`Lost`] for writes whose response was lost.
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
    /// Maximum number of attempts; 1 disables retries.
    pub tries: u32,
    /// The first wait, plus or minus a fifth; each further wait is doubled. The server may request a longer wait.
    pub first_wait: Duration,
    /// The maximum wait that the client chooses.
    pub longest_wait: Duration,
    /// Maximum time between the first and the last attempt. The service executes a request for at most 30 s, so a write
    /// takes effect within twice that time or never.
    pub total: Duration,
    /// Maximum time between the first and the last attempt while no connection is established, such as to an address at
    /// which no server listens, or to an unknown host name; `total` is an upper limit. With the default of one second, a
    /// wrong address is reported soon; [`through_restarts`](Self::through_restarts) waits for a server that restarts.
    pub unconnected: Duration,
}

impl Default for Retry {
    /// Returns five attempts within 30 s, with waits of about 0.5, 1, 2 and 4 s; two attempts within a second while no
    /// connection is established.
    fn default() -> Self {
        Self {
            tries: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(10),
            total: Duration::from_secs(30),
            unconnected: Duration::from_secs(1),
        }
    }
}

impl Retry {
    /// Disables retries.
    pub const NEVER: Self = Self {
        tries: 1,
        first_wait: Duration::ZERO,
        longest_wait: Duration::ZERO,
        total: Duration::ZERO,
        unconnected: Duration::ZERO,
    };

    /// Returns a policy that waits for a server that is not reachable as for one that is busy, for programs that start
    /// before their server, or keep running while it restarts.
    ///
    /// ```
    /// use table_rest::client::Retry;
    ///
    /// let retry = Retry::default().through_restarts();
    /// assert_eq!(retry.unconnected, retry.total);
    /// ```
    #[must_use]
    pub const fn through_restarts(self) -> Self {
        Self { unconnected: self.total, ..self }
    }

    /// Returns the policy for requests for which no connection is established.
    pub(super) fn without_connection(self) -> Self {
        Self { total: self.total.min(self.unconnected), ..self }
    }

    /// Returns the wait before the next attempt, or `None` to stop. `tries` attempts were made, the first one `elapsed`
    /// ago. `asked` is the wait that the server requested.
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
        // 0.8 to 1.2 times the wait, in steps of a thousandth.
        let thousandths = 800 + u32::try_from(random % 401).unwrap_or(0);
        let own = doubled.min(self.longest_wait).saturating_mul(thousandths) / 1000;
        let wait = own.max(asked.unwrap_or_default());
        (elapsed.saturating_add(wait) <= self.total).then_some(wait)
    }
}

/// Handling of entity writes whose response was lost. Such a write may have been done, may still take effect, or may
/// never do so.
///
/// Writes of blobs leave a token in the metadata of the blob, which always shows whether they were done. A lost
/// response to creating or deleting a table, a queue or a container is always
/// [unknown](table_model::TableError::is_outcome_unknown).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lost {
    /// The client reads the row. If the row still has the version that the write requires, the write was not done and
    /// is retried; at most one copy of the request can match that version.
    ///
    /// Every other state is [unknown](table_model::TableError::is_outcome_unknown). Another client may have written the
    /// same entity or deleted it, and a write without a version could take effect again after a later write.
    #[default]
    Settle,
    /// Reports the outcome as [unknown](table_model::TableError::is_outcome_unknown), for callers with better evidence.
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
        // A requested wait that is shorter than the computed wait has no effect.
        assert_eq!(retry.wait(2, Duration::ZERO, Some(Duration::ZERO), 200), Some(seconds(1)));
        assert_eq!(Retry::NEVER.wait(1, Duration::ZERO, None, 0), None);
    }

    #[test]
    fn requests_without_a_connection_have_a_time_of_their_own() {
        let wait = |retry: Retry, elapsed| retry.without_connection().wait(2, seconds(elapsed), None, 200);
        let retry = Retry { unconnected: seconds(3), ..Retry::default() };
        assert_eq!([wait(retry, 2), wait(retry, 3)], [Some(seconds(1)), None]);
        assert_eq!(wait(Retry::default().through_restarts(), 29), Some(seconds(1)));
        assert_eq!(wait(Retry::default(), 1), None);
        let longer = Retry { total: seconds(2), ..retry };
        assert_eq!(wait(longer, 2), None);
    }
}
