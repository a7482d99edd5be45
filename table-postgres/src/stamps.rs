//! Timestamps that no two writers use, on any number of processes and with any clocks.
//!
//! A writer leases a remainder of the ticks and reserves a range of time in the database. A timestamp has the remainder of
//! its writer and is below the reserved time. The next holder of a remainder starts above that time, so a writer that was
//! paused, or whose lease has expired, still uses timestamps of its own.

use std::time::{Duration, Instant};

use table_model::{StorageFault, TableError, Timestamp};
use tokio::sync::Mutex;

use crate::{
    connections::{Connections, take},
    failure::{Failure, busy},
    schema::{NOW, WRITERS},
};

/// Ticks by which a reservation is ahead of the clock: ten seconds.
const AHEAD: i64 = 10 * 10_000_000;
const DAY: i64 = 86_400 * 10_000_000;
/// Time by which the clock of this process can be ahead of that of the database. A wrong clock must not use up the remaining
/// ticks, as no later timestamp is below one that was used.
const FAST: i64 = DAY;
/// A stored timestamp that is more than a year ahead of both clocks is damaged.
const DAMAGED: i64 = 366 * DAY;

#[derive(Debug)]
pub(crate) struct Stamps {
    /// Identifies this process in the database.
    holder: [u8; 16],
    acquire: String,
    renew: String,
    release: String,
    state: Mutex<Option<Lease>>,
}

#[derive(Debug)]
struct Lease {
    remainder: i64,
    /// Last used timestamp.
    last: i64,
    /// Timestamps up to this one are reserved.
    reserved: i64,
    /// Time of the database at the last reservation, and when it was read.
    database: (i64, Instant),
}

impl Stamps {
    pub(crate) fn new(schema: &str) -> Result<Self, getrandom::Error> {
        let mut holder = [0; 16];
        getrandom::fill(&mut holder)?;
        let expires = "clock_timestamp() + interval '60 s'";
        // A reservation that is damaged is not used. The lowest one is used first, so a fast clock affects few remainders.
        Ok(Self {
            holder,
            acquire: format!(
                "WITH free AS (SELECT remainder, reserved FROM {schema}.writers WHERE expires < clock_timestamp() \
                 AND reserved <= greatest($2, {NOW}) + {DAMAGED} ORDER BY reserved, remainder LIMIT 1 FOR UPDATE SKIP LOCKED) UPDATE {schema}.writers AS w \
                 SET holder = $1, expires = {expires}, reserved = greatest(free.reserved, \
                 least($2, {NOW} + {FAST})) + $3 FROM free WHERE w.remainder = free.remainder \
                 RETURNING w.remainder, free.reserved, w.reserved, {NOW}"
            ),
            renew: format!(
                "UPDATE {schema}.writers SET expires = {expires}, reserved = greatest(reserved, $3) \
                 WHERE remainder = $1 AND holder = $2 RETURNING reserved, {NOW}"
            ),
            release: format!("UPDATE {schema}.writers SET expires = '-infinity' WHERE holder = $1"),
            state: Mutex::new(None),
        })
    }

    /// Returns a timestamp above the present, and above all that this process has used.
    pub(crate) async fn next(&self, pool: &Connections) -> Result<i64, Failure> {
        self.above(pool, 0, || StorageFault::Bug { what: "0 is a late timestamp".to_owned() }).await
    }

    /// Returns a timestamp above a stored one. If that one is damaged, returns the fault of its row: no other write must
    /// be later than it.
    pub(crate) async fn above(
        &self,
        pool: &Connections,
        stored: i64,
        damaged: impl FnOnce() -> StorageFault,
    ) -> Result<i64, Failure> {
        let mut state = self.state.lock().await;
        loop {
            let process = Timestamp::now().ticks().max(Timestamp::MIN_STORED.ticks());
            if let Some(lease) = &mut *state {
                let database = lease.database();
                if stored > process.max(database).saturating_add(DAMAGED) {
                    return Err(damaged().into());
                }
                let next = lease.above(process.min(database.saturating_add(FAST)).max(stored));
                if next <= lease.reserved {
                    lease.last = next;
                    return Ok(next);
                }
                let wanted = next.saturating_add(AHEAD);
                let client = take(pool).await?;
                let renewed =
                    client.query_opt(&self.renew, &[&lease.remainder, &&self.holder[..], &wanted]).await?;
                if let Some(row) = renewed {
                    lease.reserved = row.get(0);
                    lease.database = (row.get(1), Instant::now());
                    continue;
                }
            }
            let client = take(pool).await?;
            let row = client.query_opt(&self.acquire, &[&&self.holder[..], &process, &AHEAD]).await?;
            let row = row.ok_or_else(|| -> TableError {
                busy(format!(
                    "{WRITERS} programs write to this schema of the database. Close one; the lease of a program that was killed \
                     ends after a minute."
                ))
            })?;
            *state = Some(Lease {
                remainder: row.get(0),
                last: row.get(1),
                reserved: row.get(2),
                database: (row.get(3), Instant::now()),
            });
        }
    }

    /// Ends the lease, so that another program can use it at once.
    pub(crate) async fn release(&self, pool: &Connections) -> Result<(), Failure> {
        if self.state.lock().await.take().is_some() {
            take(pool).await?.execute(&self.release, &[&&self.holder[..]]).await?;
        }
        Ok(())
    }
}

impl Lease {
    /// Returns about the time of the database.
    fn database(&self) -> i64 {
        let (then, read) = self.database;
        then.saturating_add(ticks(read.elapsed()))
    }

    /// Returns the first own timestamp that is not below `least` and above the last one.
    fn above(&self, least: i64) -> i64 {
        let least = least.saturating_add(1).max(self.last.saturating_add(1));
        least.saturating_add((self.remainder - least).rem_euclid(WRITERS))
    }
}

/// Returns ticks of a duration.
pub(crate) fn ticks(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_rise_and_have_the_remainder_of_their_writer() {
        let mut lease = Lease { remainder: 5, last: 0, reserved: 0, database: (0, Instant::now()) };
        let mut before = 0;
        for now in [100, 100, 7, 1000, 1000, 1005] {
            lease.last = lease.above(now);
            assert!(lease.last > before && lease.last > now && lease.last % WRITERS == 5, "{lease:?}");
            assert!(lease.last <= before.max(now) + WRITERS, "{lease:?}");
            before = lease.last;
        }
    }
}
