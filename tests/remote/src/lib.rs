//! A server in this process, and what answers elsewhere.

mod proxy;

pub use proxy::Proxy;

use std::{error::Error, net::SocketAddr};

use table_patterns::Tables;
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    client::{Account, Backend, Settings},
    connection::ConnectionString,
    server::{ServedAccount, Server},
};
use table_store::embedded::Store;
use tokio::runtime::Runtime;

/// A server of one account, whose store is in memory. It ends with this value.
#[derive(Debug)]
pub struct Served {
    account: Account,
    // Dropped before the runtime that it runs on.
    server: Option<Server>,
    runtime: Runtime,
}

impl Served {
    /// Begins to serve, on free ports of this machine.
    ///
    /// # Errors
    /// Whatever keeps it from listening.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let runtime = Runtime::new()?;
        let name: AccountName = "acme".parse()?;
        let key = AccountKey::new(*b"a key of the tests")?;
        let account = ServedAccount::new(name.clone(), vec![key.clone()], Store::in_memory()?);
        let server = runtime.block_on(Server::builder().account(account).bind())?;
        let mut text = ConnectionString::new(name, key);
        for kind in ServiceKind::ALL {
            let address: SocketAddr = server.address(kind);
            text = text.with_endpoint(kind, &format!("http://{address}/acme"))?;
        }
        Ok(Self { account: Account::from_parsed(&text)?, server: Some(server), runtime })
    }

    /// Returns the address of a service; `None` after the server has ended.
    #[must_use]
    pub fn address(&self, kind: ServiceKind) -> Option<SocketAddr> {
        self.server.as_ref().map(|server| server.address(kind))
    }

    /// Returns a handle whose requests to tables go through a proxy.
    ///
    /// # Errors
    /// None that is known.
    pub fn tables_through(&self, proxy: &Proxy) -> Result<Tables, table_patterns::Error> {
        let url = format!("http://{}/acme", proxy.address());
        let account = self.account.clone().with_endpoint(ServiceKind::Table, &url)?;
        Tables::on(account, Settings::new().backend(Backend::Server))
    }

    /// A handle on its tables, as a program elsewhere has one.
    ///
    /// # Errors
    /// None that is known.
    pub fn tables(&self) -> Result<Tables, table_patterns::Error> {
        Tables::on(self.account.clone(), Settings::new().backend(Backend::Server))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.shutdown());
        }
    }
}

/// A handle on the account that `TABLES_PEER` names by a connection string, if it does.
///
/// # Errors
/// What is wrong with the string.
pub fn peer() -> Result<Option<Tables>, table_patterns::Error> {
    std::env::var("TABLES_PEER").ok().map(|text| Tables::connect(&text)).transpose()
}
