use table_postgres::Postgres;

use super::Tables;
use crate::Error;

impl Tables {
    /// Connects to a PostgreSQL database, and creates its schema if it does not exist. Several programs can use the
    /// database at the same time.
    ///
    /// Use [`PostgresOptions`](crate::postgres::PostgresOptions) for settings:
    /// `Tables::from(PostgresOptions::new(url)?.schema("orders")?.connect().await?)`.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::postgres("postgres://tables@db.example.com/tables").await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// Tables, queues and blobs are in the database.
    ///
    /// # Errors
    /// Fails if the address is invalid, the database is not reachable, or it denies access.
    pub async fn postgres(url: &str) -> Result<Self, Error> {
        Ok(Postgres::connect(url).await?.into())
    }
}

/// Uses the tables, queues and blobs of the database.
impl From<Postgres> for Tables {
    fn from(service: Postgres) -> Self {
        Self::new(service.clone()).with_queues(service.clone()).with_blobs(service)
    }
}
