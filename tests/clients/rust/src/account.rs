//! The account under test, as specified by a connection string, and unique names for the cases.

use azure_core::RetryOptions;
use azure_data_tables::clients::TableServiceClientBuilder;
use azure_data_tables::prelude::{TableClient, TableServiceClient};
use azure_storage::{CloudLocation, StorageCredentials};
use uuid::Uuid;

use crate::cases::Held;

#[derive(Clone)]
pub(crate) struct Account {
    name: String,
    key: String,
    endpoint: String,
}

impl Account {
    /// The client's parser of connection strings does not provide the endpoint.
    pub(crate) fn parse(connection: &str) -> Self {
        let part = |name: &str| {
            let parts = connection.split(';').filter_map(|part| part.split_once('='));
            parts
                .into_iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
                .unwrap_or_default()
        };
        Self { name: part("AccountName"), key: part("AccountKey"), endpoint: part("TableEndpoint") }
    }

    pub(crate) fn service(&self) -> TableServiceClient {
        self.service_with(self.key.clone())
    }

    pub(crate) fn service_with(&self, key: String) -> TableServiceClient {
        let uri = self.endpoint.trim_end_matches('/').to_owned();
        let location = CloudLocation::Custom { account: self.name.clone(), uri };
        let credentials = StorageCredentials::access_key(self.name.clone(), key);
        // A rejection is an expected response; retries of the client would hide it.
        TableServiceClientBuilder::with_location(location, credentials).retry(RetryOptions::none()).build()
    }

    pub(crate) fn unmade_table(&self) -> TableClient {
        self.service().table_client(format!("rs{}", Uuid::new_v4().simple()))
    }

    /// Creates an empty table for one case.
    pub(crate) async fn table(&self) -> azure_core::Result<TableClient> {
        let table = self.unmade_table();
        table.create().await?;
        Ok(table)
    }
}

/// The result of a successful case.
pub(crate) const HELD: Held = Ok(());
