//! Counts of requests, for metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use table_model::{ErrorCode, Result};

use crate::Postgres;

/// State and counts of a service. The counts start at 0 with the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PostgresStats {
    /// Open connections.
    pub connections: usize,
    /// Connections that execute a request.
    pub connections_in_use: usize,
    /// Maximum number of connections.
    pub connections_limit: usize,
    /// Number of times that a request waited for a connection.
    pub waits: u64,
    /// Number of times that statements were repeated because of concurrent writers or a failed connection.
    pub retries: u64,
    /// Successful requests.
    pub succeeded: u64,
    /// Requests that the rules of the service rejected.
    pub rejected: u64,
    /// Requests that were not executed because the database was busy or not reachable.
    pub busy: u64,
    /// Requests that failed in another way; writes among them may have been executed.
    pub failed: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counts {
    succeeded: AtomicU64,
    rejected: AtomicU64,
    busy: AtomicU64,
    failed: AtomicU64,
    retries: AtomicU64,
}

impl Counts {
    /// Counts a request by its result.
    pub(crate) fn count<T>(&self, result: &Result<T>) {
        let counter = match result {
            Ok(_) => &self.succeeded,
            Err(error) if error.code() == ErrorCode::ServerBusy => &self.busy,
            Err(error) if error.is_outcome_unknown() || error.status() >= 500 => &self.failed,
            Err(_) => &self.rejected,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Counts a repetition.
    pub(crate) fn retried(&self) {
        self.retries.fetch_add(1, Relaxed);
    }
}

impl Postgres {
    /// Returns the state of the connections, and the counts of requests.
    ///
    /// ```no_run
    /// # async fn run(service: table_postgres::Postgres) {
    /// let stats = service.stats();
    /// println!("{} of {} connections in use", stats.connections_in_use, stats.connections_limit);
    /// # }
    /// ```
    pub fn stats(&self) -> PostgresStats {
        let (pool, counts) = (&self.0.pool, &self.0.counts);
        let status = pool.status();
        PostgresStats {
            connections: status.size,
            connections_in_use: status.size.saturating_sub(status.available),
            connections_limit: status.max_size,
            waits: pool.waits.load(Relaxed),
            retries: counts.retries.load(Relaxed),
            succeeded: counts.succeeded.load(Relaxed),
            rejected: counts.rejected.load(Relaxed),
            busy: counts.busy.load(Relaxed),
            failed: counts.failed.load(Relaxed),
        }
    }
}
