//! The explorer of a server: its accounts, with the load and the slow requests of all clients.

use std::{future::pending, io, sync::Arc};

use table_explorer::{Explorer, HeatSpan, HeatStep, Observed, Place, SlowRequest};
use table_rest::{connection::ConnectionString, server::SlowRequests};
use table_store::Store;

use super::{
    Account,
    metrics::{Commits, Metrics},
};

/// The measurements of an account.
#[derive(Debug)]
struct OfAccount {
    account: String,
    commits: Arc<Commits>,
    slow: SlowRequests,
}

impl Observed for OfAccount {
    fn heat(&self, span: HeatSpan) -> Vec<HeatStep> {
        self.commits.heat(span)
    }

    fn slow_requests(&self) -> Vec<SlowRequest> {
        let mut requests = self.slow.newest();
        requests.retain(|request| request.account == self.account);
        requests
    }
}

/// Returns the accounts with their measurements. `connect` returns the connection string of an account, with which its
/// pages sign URLs.
pub(super) fn places(
    stores: &[(Account, Store)],
    metrics: &Metrics,
    connect: impl Fn(&Account) -> Option<ConnectionString>,
) -> Vec<Place> {
    let places = stores.iter().filter_map(|(account, store)| {
        let account_name = account.name.to_string();
        let observed = OfAccount {
            account: account_name.clone(),
            commits: metrics.commits(account)?,
            slow: metrics.slow_requests(),
        };
        let place = Place::of_store(account_name, store.clone()).observed(Arc::new(observed));
        Some(match connect(account) {
            Some(connection) => place.connection(connection),
            None => place,
        })
    });
    places.collect()
}

/// Serves the explorer until the process ends, and returns its start address.
pub(super) async fn serve(explorer: Explorer, port: u16) -> io::Result<String> {
    let running = explorer.bind(port).await?;
    let url = running.start_url();
    tokio::spawn(running.until(pending()));
    Ok(url)
}
