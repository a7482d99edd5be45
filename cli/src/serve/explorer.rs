//! The explorer of a server: its accounts, with the load and the slow requests of all clients.

use std::{fmt, future::pending, io, sync::Arc};

use table_explorer::{Explorer, HeatSpan, HeatStep, Observed, Place, SlowRequest, TotalsAt};
use table_rest::connection::ConnectionString;

use super::{
    Account, Backend,
    metrics::{Commits, Metrics},
};

/// The measurements of an account.
struct OfAccount {
    account: String,
    commits: Arc<Commits>,
    metrics: Metrics,
}

impl Observed for OfAccount {
    fn totals(&self) -> Vec<TotalsAt> {
        self.metrics.totals(&self.commits)
    }

    fn heat(&self, span: HeatSpan) -> Vec<HeatStep> {
        self.commits.heat(span)
    }

    fn slow_requests(&self) -> Vec<SlowRequest> {
        let mut requests = self.metrics.slow_requests().newest();
        requests.retain(|request| request.account == self.account);
        requests
    }
}

impl fmt::Debug for OfAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfAccount").field("account", &self.account).finish_non_exhaustive()
    }
}

/// Returns the accounts with their measurements. `connect` returns the connection string of an account, with which its
/// pages sign URLs.
pub(super) fn places(
    stores: &[(Account, Backend)],
    metrics: &Metrics,
    connect: impl Fn(&Account) -> Option<ConnectionString>,
) -> Vec<Place> {
    let places = stores.iter().filter_map(|(account, store)| {
        let account_name = account.name.to_string();
        let observed = OfAccount {
            account: account_name.clone(),
            commits: metrics.commits(account)?,
            metrics: metrics.clone(),
        };
        let place = store.place(&account_name).observed(Arc::new(observed));
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
