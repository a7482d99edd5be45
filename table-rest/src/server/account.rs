use std::{fmt, sync::Arc};

use table_store::{BlobService, QueueService, SettingsService, TableService};

use crate::{AccountName, auth::AccountKey};

/// An account that is served: its name, and the services behind it.
#[derive(Clone)]
pub struct ServedAccount {
    /// Its name.
    pub name: AccountName,
    /// Its keys, each of which signs for it.
    pub keys: Vec<AccountKey>,
    /// Its access policies and the properties of its services.
    pub settings: Arc<dyn SettingsService>,
    /// Its tables.
    pub tables: Arc<dyn TableService>,
    /// Its queues.
    pub queues: Arc<dyn QueueService>,
    /// Its blobs.
    pub blobs: Arc<dyn BlobService>,
}

impl ServedAccount {
    /// An account whose services are all of one store.
    pub fn new<S>(name: AccountName, keys: Vec<AccountKey>, store: S) -> Self
    where
        S: TableService + QueueService + BlobService + SettingsService + 'static,
    {
        let store = Arc::new(store);
        Self {
            name,
            keys,
            settings: Arc::<S>::clone(&store),
            tables: Arc::<S>::clone(&store),
            queues: Arc::<S>::clone(&store),
            blobs: store,
        }
    }
}

impl fmt::Debug for ServedAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedAccount").field("name", &self.name).finish_non_exhaustive()
    }
}
