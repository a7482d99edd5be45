//! On an account elsewhere: Azure, Azurite, Cosmos DB, our own server.

use std::sync::Arc;

use table_rest::{
    ServiceKind,
    client::{Account, Lost, Settings, TokenCredential},
};

use super::Tables;
use crate::Error;

impl Tables {
    /// On the account that a connection string names: Azure's, Azurite's, Cosmos DB's, or one that our own server serves.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// let tables = Tables::connect("UseDevelopmentStorage=true")?;
    /// # Ok::<(), table_patterns::Error>(())
    /// ```
    ///
    /// The account's queues and blobs come with it. Cosmos DB has none: name others by
    /// [`with_queues`](Self::with_queues) and [`with_blobs`](Self::with_blobs), or what needs them is refused before anything is
    /// sent, by [`Error::NoHints`], [`TaskError::NoQueues`](crate::TaskError::NoQueues) and [`Error::NoBlobs`].
    ///
    /// # Errors
    /// What is wrong with the string. Nothing is sent yet.
    pub fn connect(connection_string: &str) -> Result<Self, Error> {
        Self::on(Account::from_connection_string(connection_string)?, Settings::new())
    }

    /// On the account of this endpoint, opened by tokens of Microsoft Entra: `https://acme.table.core.windows.net`.
    ///
    /// # Errors
    /// What is wrong with the endpoint. Nothing is sent yet.
    pub fn with_credential(endpoint: &str, credential: Arc<dyn TokenCredential>) -> Result<Self, Error> {
        Self::on(Account::with_credential(endpoint, credential)?, Settings::new())
    }

    /// On an account, with settings of one's own: retries, transport, what answers there. What becomes of a write whose answer
    /// was lost is found out here in any case, by the tokens that rows hold.
    ///
    /// # Errors
    /// If the account has no tables.
    pub fn on(account: Account, settings: Settings) -> Result<Self, Error> {
        let account = account.with_settings(settings.lost(Lost::Tell));
        let mut tables = Self::with(account.tables()?);
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
