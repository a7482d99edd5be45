//! Reports of damaged pages.

use std::time::Duration;

use metrics::gauge;
use table_store::{Store, Timestamp};
use tokio::time;

use super::Account;

/// Interval at which the stores are checked for new damage.
const INTERVAL: Duration = Duration::from_secs(10);

/// Logs damaged pages that requests and the background scrub have found, once for each number, and counts them.
pub(super) struct DamageWatch<'s> {
    stores: &'s [(Account, Store)],
    /// Known number of damaged pages of each store.
    known: Vec<usize>,
}

impl<'s> DamageWatch<'s> {
    pub(super) fn new(stores: &'s [(Account, Store)]) -> Self {
        Self { stores, known: vec![0; stores.len()] }
    }

    /// Runs until it is dropped.
    pub(super) async fn run(&mut self) {
        loop {
            self.look();
            time::sleep(INTERVAL).await;
        }
    }

    /// Reports damage that was found since the last call.
    pub(super) fn look(&mut self) {
        for ((account, store), known) in self.stores.iter().zip(&mut self.known) {
            let (account, stats) = (account.name.as_str(), store.stats());
            let pages = stats.damaged_pages;
            if pages > *known {
                *known = pages;
                tracing::error!(
                    account,
                    pages,
                    "the store has damaged pages, and writes are rejected until the server is started again; stop the \
                     server, run `tables scrub`, and restore a backup or use `tables salvage`"
                );
            }
            let labels = [("account", account.to_owned())];
            gauge!("tables_damaged_pages", &labels).set(f64::from(u32::try_from(pages).unwrap_or(u32::MAX)));
            if let Some(pass) = stats.background_scrub.and_then(|scrub| scrub.last) {
                let ended = pass.ended.duration_since(Timestamp::UNIX_EPOCH).as_secs_f64();
                gauge!("tables_last_scrub_timestamp_seconds", &labels).set(ended);
            }
        }
    }
}
