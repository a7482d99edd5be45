//! Store locations: a store's file, the data directory of a server, an account behind the protocol, a database.

mod arguments;
pub(crate) mod database;
mod error;
mod folder;
mod kind;
mod writable;

pub(crate) use self::{
    arguments::{LocationArguments, Where, require_path},
    error::StoreLocationError,
    writable::{KeptLogArguments, WritableLocation},
};

use std::{path::Path, sync::Arc};

use table_postgres::{Postgres, PostgresOptions};
use table_rest::{
    ServiceKind,
    client::{Account, Endpoint},
    connection::ConnectionString,
};
use table_store::{
    BlobService, OpenOptions, QueueService, Store, TableName, TableService, service::ListTables,
};

use crate::error::CommandError;

/// The services of a location.
#[derive(Debug)]
pub(crate) struct Location {
    /// The display name: a path, or an address without credentials.
    pub(crate) name: String,
    pub(crate) tables: Arc<dyn TableService>,
    pub(crate) queues: Option<Arc<dyn QueueService>>,
    pub(crate) blobs: Option<Arc<dyn BlobService>>,
    /// The connection string, if that is the location.
    pub(crate) connection: Option<ConnectionString>,
    /// The store itself, if it is a file opened by this process.
    pub(crate) store: Option<Store>,
    /// The database, if that is the location.
    pub(crate) database: Option<Postgres>,
}

/// Returns the tables of a service.
pub(crate) async fn list_tables(tables: &dyn TableService) -> Result<Vec<TableName>, CommandError> {
    let (mut names, mut request) = (Vec::new(), ListTables::new());
    loop {
        let segment = tables.list_tables(request).await?;
        names.extend(segment.tables);
        let Some(next) = segment.continuation else { return Ok(names) };
        request = ListTables::new().continuation(next);
    }
}

impl Location {
    fn of_file(path: &Path, options: &OpenOptions) -> Result<Self, StoreLocationError> {
        let store = options.open(path)?;
        Ok(Self {
            name: path.display().to_string(),
            tables: Arc::new(store.clone()),
            queues: Some(Arc::new(store.clone())),
            blobs: Some(Arc::new(store.clone())),
            connection: None,
            store: Some(store),
            database: None,
        })
    }

    /// No request is sent yet.
    fn of_account(account: &Account) -> Result<Self, StoreLocationError> {
        let tables = account.tables()?;
        let queues = account.endpoint(ServiceKind::Queue).map(|_| account.queues()).transpose()?;
        let blobs = account.endpoint(ServiceKind::Blob).map(|_| account.blobs()).transpose()?;
        Ok(Self {
            name: account.endpoint(ServiceKind::Table).map_or("", Endpoint::root).to_owned(),
            tables: Arc::new(tables),
            queues: queues.map(|queues| Arc::new(queues) as _),
            blobs: blobs.map(|blobs| Arc::new(blobs) as _),
            connection: None,
            store: None,
            database: None,
        })
    }

    /// Connects to a database.
    fn of_database(options: PostgresOptions) -> Result<Self, StoreLocationError> {
        let name = options.address();
        let database = pollster::block_on(options.connect());
        let database = database.map_err(|error| StoreLocationError::database(&name, error))?;
        Ok(Self {
            name,
            tables: Arc::new(database.clone()),
            queues: Some(Arc::new(database.clone())),
            blobs: Some(Arc::new(database.clone())),
            connection: None,
            store: None,
            database: Some(database),
        })
    }

    /// Closes a file after all pending operations, or the connections to a database.
    pub(crate) async fn close(self) -> Result<(), StoreLocationError> {
        match (&self.store, &self.database) {
            (Some(store), _) => Ok(store.close().await?),
            (None, Some(database)) => Ok(database.close().await?),
            (None, None) => Ok(()),
        }
    }
}
