//! Handles on the tables of a run.

use std::{sync::Arc, time::Duration};

use table_patterns::{KeyRing, Tables, queue::QueueService};
use table_rest::client::{Account, Backend, Retry, Settings};
use table_store::{Store, TableService, blob::BlobService};

use crate::faults::{
    clock::Skew,
    design,
    plant::{Plant, Planted},
};

/// An error that ends a run before it can be checked.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The services below a handle.
#[derive(Clone, Debug)]
pub struct Services {
    pub tables: Arc<dyn TableService>,
    pub queues: Arc<dyn QueueService>,
    pub blobs: Arc<dyn BlobService>,
}

impl Services {
    /// Returns the services of a store in this process.
    #[must_use]
    pub fn of_store(store: &Store) -> Self {
        Self {
            tables: Arc::new(store.clone()),
            queues: Arc::new(store.clone()),
            blobs: Arc::new(store.clone()),
        }
    }

    /// Connects to the account of a connection string. A request is retried for at most `patience`.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is invalid.
    pub fn connect(connection: &str, patience: Duration) -> Result<Self, Failure> {
        let retry = Retry {
            first_wait: (patience / 60).min(Duration::from_millis(500)),
            total: patience,
            ..Retry::default()
        }
        .through_restarts();
        let settings =
            Settings::new().backend(Backend::Server).retry(retry).lost(table_rest::client::Lost::Tell);
        let account = Account::from_connection_string(connection)?.with_settings(settings);
        Ok(Self {
            tables: Arc::new(account.tables()?),
            queues: Arc::new(account.queues()?),
            blobs: Arc::new(account.blobs()?),
        })
    }

    /// Returns the services with a rule that is broken intentionally.
    #[must_use]
    pub fn planting(self, plant: Option<Plant>) -> Self {
        match plant {
            None => self,
            Some(plant) => Self { tables: Arc::new(Planted::new(self.tables, plant)), ..self },
        }
    }

    /// Returns a handle with the complete design and the keys, with an optionally inaccurate clock.
    ///
    /// # Errors
    ///
    /// Currently none.
    pub fn tables(&self, skew: Option<Skew>) -> Result<Tables, Failure> {
        let Self { tables, queues, blobs } = self.clone();
        let tables = Tables::from_services(tables, Some(queues), Some(blobs));
        let tables = tables.with_keys(KeyRing::from_keys(1, [(1, [7; 32])])?);
        let tables = match skew {
            None => tables,
            Some(skew) => tables.with_clock(move || skew.now()),
        };
        tables.register_entity::<design::Person>();
        tables.register_entity::<design::Team>();
        tables.register_entity::<design::City>();
        tables.register_entity::<design::Owner>();
        tables.register_entity::<design::Ticket>();
        tables.register_entity::<design::Account>();
        tables.register_entity::<design::Group>();
        tables.register_entity::<design::Day>();
        tables.register_entity::<design::Event>();
        Ok(tables)
    }
}
