//! Our server, in this process.

use std::{error::Error, io};

use table_rest::{
    AccountName,
    auth::AccountKey,
    connection::ConnectionString,
    server::{ServedAccount, Server},
};
use table_store::Store;

/// A server of an empty store in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Served {
    _server: Server,
    connection: String,
}

impl Served {
    /// Starts it, with the account of all emulators.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available.
    pub async fn start() -> Result<Self, Box<dyn Error>> {
        let (name, key) = (AccountName::emulator(), AccountKey::emulator());
        let store = Store::in_memory().map_err(io::Error::other)?;
        let account = ServedAccount::new(name.clone(), vec![key.clone()], store);
        let server = Server::builder().account(account).bind().await?;
        let mut connection = ConnectionString::new(name.clone(), key);
        for (kind, address) in server.addresses() {
            connection = connection.with_endpoint(kind, &format!("http://{address}/{name}"))?;
        }
        Ok(Self { _server: server, connection: connection.expose().to_string() })
    }

    /// Returns the connection string for clients.
    #[must_use]
    pub fn connection(&self) -> &str {
        &self.connection
    }
}
