use std::{fmt, sync::Arc};

use table_model::{Capabilities, Result, TableError, token::TokenKey};
use tokio::runtime::Handle;

use crate::{
    PostgresOptions, blobs,
    catalogue::Names,
    connections::{self, Connections},
    options::invalid,
    queues::Queues,
    runtime::{self, within},
    schema,
    settings::CachedProperties,
    stamps::Stamps,
    stats::Counts,
};

/// The table service on PostgreSQL. Cloning is cheap; clones share the connections.
///
/// Several processes can use the same schema of a database at the same time.
#[derive(Clone)]
pub struct Postgres(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) pool: Connections,
    pub(crate) options: PostgresOptions,
    pub(crate) names: Names,
    pub(crate) queues: Queues,
    pub(crate) blobs: blobs::Statements,
    pub(crate) properties: CachedProperties,
    pub(crate) counts: Counts,
    pub(crate) stamps: Stamps,
    pub(crate) token_key: TokenKey,
    pub(crate) capabilities: Capabilities,
    pub(crate) runtime: Handle,
}

impl Postgres {
    /// Connects to a database with the default [options](PostgresOptions) and the password of the environment, and creates
    /// the schema `table_patterns` if it does not exist.
    ///
    /// # Errors
    /// `InvalidInput` if the address is invalid or the schema was created by a newer version; an error of a connection
    /// ([`TableError::is_not_connected`]); `AuthorizationFailure` if the database denies access.
    pub async fn connect(url: &str) -> Result<Self> {
        PostgresOptions::new(url)?.environment_password()?.connect().await
    }

    pub(crate) async fn open(options: PostgresOptions) -> Result<Self> {
        let runtime = runtime::handle()?;
        within(&runtime, Box::pin(Self::opened(options, runtime.clone()))).await
    }

    async fn opened(options: PostgresOptions, runtime: Handle) -> Result<Self> {
        let pool = connections::pool(&options, runtime.clone())?;
        let mut client = connections::take(&pool).await.map_err(TableError::from)?;
        let token_key = schema::open(&mut client, &options).await?;
        drop(client);
        let stamps = Stamps::new(&options.quoted_schema())
            .map_err(|error| invalid(format!("no random numbers: {error}")))?;
        let mut capabilities = Capabilities::postgres();
        capabilities.key_length = options.key_length;
        let blobs = blobs::Statements::new(&options.quoted_schema());
        Ok(Self(Arc::new(Inner {
            pool,
            options,
            names: Names::default(),
            queues: Queues::default(),
            blobs,
            properties: CachedProperties::default(),
            counts: Counts::default(),
            stamps,
            token_key,
            capabilities,
            runtime,
        })))
    }

    /// Checks that the database responds.
    ///
    /// # Errors
    /// An error of the connection.
    pub async fn ping(&self) -> Result<()> {
        let pool = &self.0.pool;
        let ping = async move {
            let client = connections::take(pool).await.map_err(TableError::from)?;
            client.batch_execute("").await.map_err(TableError::from)
        };
        within(&self.0.runtime, Box::pin(ping)).await
    }

    /// Deletes the schema with all its tables.
    ///
    /// # Errors
    /// An error of the connection; `AuthorizationFailure` if the role does not own the schema.
    pub async fn delete_schema(&self) -> Result<()> {
        let delete = format!("DROP SCHEMA {} CASCADE", self.0.options.quoted_schema());
        let pool = &self.0.pool;
        let delete = async move {
            let client = connections::take(pool).await.map_err(TableError::from)?;
            client.batch_execute(&delete).await.map_err(TableError::from)
        };
        within(&self.0.runtime, Box::pin(delete)).await
    }

    /// Ends the lease of this writer and closes the connections. Without it, the lease ends after a minute.
    ///
    /// # Errors
    /// An error of the connection. The connections are closed in any case.
    pub async fn close(&self) -> Result<()> {
        let release = async { self.0.stamps.release(&self.0.pool).await.map_err(TableError::from) };
        let released = within(&self.0.runtime, Box::pin(release)).await;
        self.0.pool.close();
        released
    }
}

/// Prints no address, as it can contain a password.
impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("options", &self.0.options).finish_non_exhaustive()
    }
}
