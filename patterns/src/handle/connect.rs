//! Connections to a remote account: Azure, Azurite, Cosmos DB, or the server of this project.

use std::sync::Arc;

use table_rest::{
    ServiceKind,
    client::{Account, Lost, Settings, TokenCredential},
};

use super::Tables;
use crate::Error;

impl Tables {
    /// Connects to the account of a connection string: Azure Storage, Azurite, Cosmos DB, or the server of this
    /// project.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// let tables = Tables::connect("UseDevelopmentStorage=true")?;
    /// # Ok::<(), table_patterns::Error>(())
    /// ```
    ///
    /// The queues and blobs of the account are used too. Cosmos DB has neither: configure them with
    /// [`with_queues`](Self::with_queues) and [`with_blobs`](Self::with_blobs). Otherwise operations that require them
    /// fail with [`Error::QueuesNotConfigured`], [`TaskError::NoQueues`](crate::TaskError::NoQueues) or
    /// [`Error::BlobsNotConfigured`] before anything is sent.
    ///
    /// # Errors
    /// Fails if the connection string is invalid. No request is sent yet.
    pub fn connect(connection_string: &str) -> Result<Self, Error> {
        Self::on(Account::from_connection_string(connection_string)?, Settings::new())
    }

    /// Connects to an endpoint such as `https://acme.table.core.windows.net`, with tokens of Microsoft Entra.
    ///
    /// # Errors
    /// Fails if the endpoint is invalid. No request is sent yet.
    pub fn with_credential(endpoint: &str, credential: Arc<dyn TokenCredential>) -> Result<Self, Error> {
        Self::on(Account::with_credential(endpoint, credential)?, Settings::new())
    }

    /// Connects to an account with custom settings, such as retries and the transport. A lost response to a write is
    /// always resolved by this library, with the tokens stored in rows.
    ///
    /// By default, a request fails with [`Error::NotConnected`] after at most a second if no server is reachable. A program
    /// that starts before its server, or that must survive its restart, waits longer:
    ///
    /// ```no_run
    /// use table_patterns::{
    ///     Tables,
    ///     remote::{Account, Retry, Settings},
    /// };
    ///
    /// let account = Account::from_connection_string("UseDevelopmentStorage=true")?;
    /// let tables = Tables::on(account, Settings::new().retry(Retry::default().through_restarts()))?;
    /// # Ok::<(), table_patterns::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the account has no table endpoint.
    pub fn on(account: Account, settings: Settings) -> Result<Self, Error> {
        let account = account.with_settings(settings.lost(Lost::Tell));
        let mut tables = Self::new(account.tables()?);
        if account.endpoint(ServiceKind::Queue).is_some() {
            tables = tables.with_queues(account.queues()?);
        }
        if account.endpoint(ServiceKind::Blob).is_some() {
            tables = tables.with_blobs(account.blobs()?);
        }
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosmos_comes_without_queues_and_blobs() {
        let cosmos = "TableEndpoint=https://acme.table.cosmos.azure.com;AccountName=acme;AccountKey=a2V5";
        let tables = Tables::connect("UseDevelopmentStorage=true").unwrap();
        assert!(tables.queues().is_ok() && tables.blobs().is_ok());
        let account = Account::from_signed_url("https://acme.table.cosmos.azure.com?sig=x").unwrap();
        let tables = Tables::on(account, Settings::new()).unwrap();
        assert!(tables.queues().is_err() && tables.blobs().is_err());
        assert!(!tables.service().capabilities().sorts_by_key);
        assert!(Tables::connect(cosmos).is_ok());
        assert!(Tables::connect("nonsense").is_err());
    }
}
