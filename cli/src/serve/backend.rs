use std::{sync::Arc, time::Duration};

use table_explorer::Place;
use table_postgres::Postgres;
use table_rest::server::ServedAccount;
use table_store::{QueueService, Store, TableError, TableService};

use super::Account;

/// Maximum time in which a database that is ready responds.
const READY: Duration = Duration::from_secs(2);

/// Maximum time to end the lease of a database at the end of the server. Without it, the lease ends after a minute.
const CLOSE: Duration = Duration::from_secs(5);

/// The data of an account.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    Store(Store),
    /// A schema of a database, which other servers can use at the same time.
    Database(Postgres),
}

impl Backend {
    pub(crate) fn serve(&self, account: &Account) -> ServedAccount {
        let (name, keys) = (account.name.clone(), account.keys.clone());
        match self {
            Self::Store(store) => ServedAccount::new(name, keys, store.clone()),
            Self::Database(database) => ServedAccount::new(name, keys, database.clone()),
        }
    }

    /// Returns the store, if it is a file or in memory.
    pub(super) const fn store(&self) -> Option<&Store> {
        match self {
            Self::Store(store) => Some(store),
            Self::Database(_) => None,
        }
    }

    pub(super) fn tables(&self) -> &dyn TableService {
        match self {
            Self::Store(store) => store,
            Self::Database(database) => database,
        }
    }

    pub(super) fn queues(&self) -> &dyn QueueService {
        match self {
            Self::Store(store) => store,
            Self::Database(database) => database,
        }
    }

    /// Returns what the explorer shows of an account.
    pub(super) fn place(&self, account: &str) -> Place {
        match self {
            Self::Store(store) => Place::of_store(account, store.clone()),
            Self::Database(database) => {
                let database = Arc::new(database.clone());
                Place::new(account, database.clone()).queues(database.clone()).blobs(database)
            }
        }
    }

    /// Returns whether requests can be executed.
    pub(super) async fn is_ready(&self) -> bool {
        match self {
            Self::Store(_) => true,
            Self::Database(database) => {
                tokio::time::timeout(READY, database.ping()).await.is_ok_and(|pinged| pinged.is_ok())
            }
        }
    }

    /// Closes a store after all pending operations, or the connections to a database.
    pub(super) async fn close(&self) -> Result<(), TableError> {
        match self {
            Self::Store(store) => store.close().await,
            Self::Database(database) => {
                let closed = tokio::time::timeout(CLOSE, database.close()).await;
                if !closed.is_ok_and(|closed| closed.is_ok()) {
                    tracing::warn!(
                        "the database is not reachable; the lease of this server ends after a minute"
                    );
                }
                Ok(())
            }
        }
    }
}
