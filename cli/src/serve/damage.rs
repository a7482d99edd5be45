//! Reports of damaged pages.

use std::time::Duration;

use tokio::time;

use super::{Account, Backend};

/// Interval at which the stores are checked for new damage.
const INTERVAL: Duration = Duration::from_secs(10);

/// Logs damaged pages that requests and the background scrub have found, once for each number.
pub(super) struct DamageWatch<'s> {
    stores: &'s [(Account, Backend)],
    /// Known number of damaged pages of each store.
    known: Vec<usize>,
}

impl<'s> DamageWatch<'s> {
    pub(super) fn new(stores: &'s [(Account, Backend)]) -> Self {
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
            let Some(store) = store.store() else { continue };
            let (account, pages) = (account.name.as_str(), store.stats().damaged_pages);
            if pages > *known {
                *known = pages;
                tracing::error!(
                    account,
                    pages,
                    "the store has damaged pages, and writes are rejected until the server is started again; stop the \
                     server, run `tables scrub`, and restore a backup or use `tables salvage`"
                );
            }
        }
    }
}
