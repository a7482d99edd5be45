//! The table service on PostgreSQL 15 or later: the entities, transactions and queries of Azure Table storage in a
//! database that several servers can share, with its standbys, backups and failover.
//!
//! [`Postgres`] implements [`TableService`](table_model::TableService), [`QueueService`](table_model::QueueService),
//! [`BlobService`](table_model::BlobService) and [`SettingsService`](table_model::SettingsService), like the embedded store.
//! Every table is a table of the database with four columns: both keys as bytes in the order of the service, the timestamp,
//! and the properties in the encoding of [`table_model::packed`]. A write of one entity is one statement; a transaction is
//! one transaction of the database.
//!
//! ```no_run
//! use table_model::{Entity, Operation, TableName, TableService};
//! use table_postgres::Postgres;
//!
//! # async fn run() -> Result<(), table_model::TableError> {
//! let service = Postgres::connect("postgres://tables@db.example.com/tables").await?;
//! let table = TableName::new("Employees")?;
//! service.create_table(&table).await?;
//! let employee = Entity::new("Sales", "1").with("Name", "Jo");
//! service.execute(&table, &Operation::Insert(employee)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Any executor can poll the futures: without a tokio runtime, the connections have one of their own. Once a transaction is sent, it is completed even if its future is dropped.

mod address;
mod blobs;
mod bounds;
mod catalogue;
mod client;
mod connections;
mod failure;
mod group;
mod options;
mod outbox;
mod password_file;
mod postgres;
mod queues;
mod read;
mod record;
mod runtime;
mod schema;
mod segment;
mod service;
mod settings;
mod stamps;
mod statements;
mod stats;
mod write;

pub use options::PostgresOptions;
pub use postgres::Postgres;
#[doc(hidden)]
pub use statements::statements;
pub use stats::PostgresStats;
