//! What is explored: the services of a store or an account.

use std::sync::Arc;

use table_model::{BlobService, QueueService, TableService};
use table_rest::connection::ConnectionString;
use table_store::Store;

use crate::Observed;

/// A store or an account that is explored.
#[derive(Clone, Debug)]
pub struct Place {
    pub(crate) name: String,
    pub(crate) tables: Arc<dyn TableService>,
    pub(crate) queues: Option<Arc<dyn QueueService>>,
    pub(crate) blobs: Option<Arc<dyn BlobService>>,
    /// The connection string of the account, whose key signs URLs.
    pub(crate) connection: Option<Arc<ConnectionString>>,
    /// The store, if this process has opened it.
    pub(crate) store: Option<Store>,
    /// The measurements of the server.
    pub(crate) observed: Option<Arc<dyn Observed>>,
}

impl Place {
    /// Creates a place with tables only. `name` is shown: it must not contain credentials.
    #[must_use]
    pub fn new(name: impl Into<String>, tables: Arc<dyn TableService>) -> Self {
        Self {
            name: name.into(),
            tables,
            queues: None,
            blobs: None,
            connection: None,
            store: None,
            observed: None,
        }
    }

    /// Creates a place with all services of a store.
    #[must_use]
    pub fn of_store(name: impl Into<String>, store: Store) -> Self {
        let place = Self::new(name, Arc::new(store.clone()));
        let place = place.queues(Arc::new(store.clone())).blobs(Arc::new(store.clone()));
        Self { store: Some(store), ..place }
    }

    /// Replaces the tables by a service that forwards to them, such as one that measures requests.
    #[must_use]
    pub fn tables(mut self, tables: Arc<dyn TableService>) -> Self {
        self.tables = tables;
        self
    }

    /// Adds queues.
    #[must_use]
    pub fn queues(mut self, queues: Arc<dyn QueueService>) -> Self {
        self.queues = Some(queues);
        self
    }

    /// Adds blobs.
    #[must_use]
    pub fn blobs(mut self, blobs: Arc<dyn BlobService>) -> Self {
        self.blobs = Some(blobs);
        self
    }

    /// Adds the connection string of the account. If it contains a key, the explorer signs URLs with it. No page contains
    /// the key.
    #[must_use]
    pub fn connection(mut self, connection: ConnectionString) -> Self {
        self.connection = Some(Arc::new(connection));
        self
    }

    /// Adds the measurements of the server of this place.
    #[must_use]
    pub fn observed(mut self, observed: Arc<dyn Observed>) -> Self {
        self.observed = Some(observed);
        self
    }

    /// Returns the name of the account: the last segment of an address such as `http://127.0.0.1:10002/devstoreaccount1`,
    /// or the first label of its host. A database has the name of its schema.
    pub(crate) fn account(&self) -> &str {
        let Some((_, address)) = self.name.split_once("://") else { return &self.name };
        if let Some((_, schema)) = address.split_once("?schema=") {
            return schema;
        }
        let path = address.trim_end_matches('/').rsplit_once('/').map(|(_, last)| last);
        path.unwrap_or_else(|| address.split(['.', ':', '/']).next().unwrap_or_default())
    }

    /// Returns whether a request of a page stays in this process.
    pub(crate) const fn is_local(&self) -> bool {
        self.store.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_contains_the_account() {
        for (name, account) in [
            ("https://acme.table.core.windows.net", "acme"),
            ("https://acme.table.core.windows.net/", "acme"),
            ("http://127.0.0.1:10002/devstoreaccount1", "devstoreaccount1"),
            ("postgres://tables@db1:5432,db2:5432/d?schema=orders", "orders"),
            ("data/company.tables", "data/company.tables"),
        ] {
            let store = Store::in_memory().unwrap();
            assert_eq!(Place::new(name, Arc::new(store)).account(), account);
        }
    }
}
