//! A server in this process, and handles on remote accounts.

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
use table_store::Store;
use tokio::runtime::Runtime;

/// A server of one account with a store in memory. It ends when this value is dropped.
#[derive(Debug)]
pub struct Served {
    account: Account,
    // Dropped before its runtime.
    server: Option<Server>,
    runtime: Runtime,
}

impl Served {
    /// Starts a server on free ports of this machine.
    ///
    /// # Errors
    ///
    /// Returns an error if the server cannot listen.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let runtime = Runtime::new()?;
        let name: AccountName = "acme".parse()?;
        let key = AccountKey::new(*b"a key of the tests, of 32 bytes.")?;
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
    ///
    /// Currently none.
    pub fn tables_through(&self, proxy: &Proxy) -> Result<Tables, table_patterns::Error> {
        let url = format!("http://{}/acme", proxy.address());
        let account = self.account.clone().with_endpoint(ServiceKind::Table, &url)?;
        Tables::on(account, Settings::new().backend(Backend::Server))
    }

    /// Returns a handle on its tables, as a program on another machine uses it.
    ///
    /// # Errors
    ///
    /// Currently none.
    pub fn tables(&self) -> Result<Tables, table_patterns::Error> {
        Tables::on(self.account.clone(), Settings::new().backend(Backend::Server))
    }

    /// Returns a handle on its tables that knows the connection string only, as from [`Tables::connect`].
    ///
    /// # Errors
    ///
    /// Currently none.
    pub fn connected(&self) -> Result<Tables, table_patterns::Error> {
        Tables::on(self.account.clone(), Settings::new())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.shutdown());
        }
    }
}

/// Returns a handle on the account of the connection string in `TABLES_PEER`, if it is set.
///
/// # Errors
///
/// Returns an error if the string is invalid.
pub fn peer() -> Result<Option<Tables>, table_patterns::Error> {
    std::env::var("TABLES_PEER").ok().map(|text| Tables::connect(&text)).transpose()
}
