use std::{fmt, sync::Arc};

use table_model::{BlobService, QueueService, SettingsService, TableService};

use super::{Emulation, share::Share};
use crate::{AccountName, auth::AccountKey};

/// A served account: its name and its services.
#[derive(Clone)]
pub struct ServedAccount {
    /// The account name.
    pub name: AccountName,
    /// The account keys; each is valid for signatures.
    pub keys: Vec<AccountKey>,
    /// The settings service: access policies and service properties.
    pub settings: Arc<dyn SettingsService>,
    /// The table service.
    pub tables: Arc<dyn TableService>,
    /// The queue service.
    pub queues: Arc<dyn QueueService>,
    /// The blob service.
    pub blobs: Arc<dyn BlobService>,
    /// Behavior of an emulator; none by default.
    pub(super) emulation: Emulation,
    /// The share of the account in the resources of its server.
    pub(super) share: Arc<Share>,
}

impl ServedAccount {
    /// Creates an account whose services all use one store.
    pub fn new<S>(name: AccountName, keys: Vec<AccountKey>, store: S) -> Self
    where
        S: TableService + QueueService + BlobService + SettingsService + 'static,
    {
        let store = Arc::new(store);
        Self::with_blobs(name, keys, Arc::<S>::clone(&store), store)
    }

    /// Creates an account whose blobs are in another service.
    pub fn with_blobs<S>(
        name: AccountName,
        keys: Vec<AccountKey>,
        store: Arc<S>,
        blobs: Arc<dyn BlobService>,
    ) -> Self
    where
        S: TableService + QueueService + SettingsService + 'static,
    {
        Self {
            name,
            keys,
            settings: Arc::<S>::clone(&store),
            tables: Arc::<S>::clone(&store),
            queues: store,
            blobs,
            emulation: Emulation::default(),
            share: Share::alone(),
        }
    }

    /// Sets the behavior of an emulator.
    #[must_use]
    pub fn emulating(self, emulation: Emulation) -> Self {
        Self { emulation, ..self }
    }

    /// Sets the share of the account in the resources of its server.
    pub(super) fn sharing(self, share: Arc<Share>) -> Self {
        Self { share, ..self }
    }
}

impl fmt::Debug for ServedAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedAccount").field("name", &self.name).finish_non_exhaustive()
    }
}
