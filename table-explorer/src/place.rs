//! What is explored: the services of a store or an account.

use std::sync::Arc;

use table_model::{BlobService, QueueService, TableService};
use table_rest::connection::ConnectionString;
use table_store::Store;

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
}

impl Place {
    /// Creates a place with tables only. `name` is shown: it must not contain credentials.
    #[must_use]
    pub fn new(name: impl Into<String>, tables: Arc<dyn TableService>) -> Self {
        Self { name: name.into(), tables, queues: None, blobs: None, connection: None, store: None }
    }

    /// Creates a place with all services of a store.
    #[must_use]
    pub fn of_store(name: impl Into<String>, store: Store) -> Self {
        let place = Self::new(name, Arc::new(store.clone()));
        let place = place.queues(Arc::new(store.clone())).blobs(Arc::new(store.clone()));
        Self { store: Some(store), ..place }
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

    /// Returns whether a request of a page stays in this process.
    pub(crate) const fn is_local(&self) -> bool {
        self.store.is_some()
    }
}
