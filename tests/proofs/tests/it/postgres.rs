//! The table service on PostgreSQL: a real server, started by the tests. They are skipped with a message if it is not
//! installed.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod beside_writers;
mod blobs;
mod churn;
mod clients;
mod commands;
mod copied;
mod cuts;
mod failover;
mod filters;
mod messages;
mod programs;
mod server;
mod settings;
mod silent;
mod tampered;
mod tls;
mod uploads;
mod writers;

use table_model::{Entity, Operation, TableName, TableService};
use table_postgres::{Postgres, PostgresOptions};
use table_proofs::clients::Database;

type Error = Box<dyn std::error::Error + Send + Sync>;
type Outcome = Result<(), Error>;

/// Starts a database, or ends the test with a message.
macro_rules! database {
    () => {
        match table_proofs::clients::Database::start() {
            Ok(database) => database,
            Err(lacking) => return Ok(lacking.pass_over("PostgreSQL")?),
        }
    };
}
use database;

/// Returns services on one schema, each like one of several servers.
async fn services(database: &Database, count: usize) -> Result<Vec<Postgres>, Error> {
    let mut services = Vec::new();
    for _ in 0..count {
        services.push(PostgresOptions::new(&database.url())?.connections(8).connect().await?);
    }
    Ok(services)
}

/// Returns a new table.
async fn table(service: &Postgres, name: &str) -> Result<TableName, Error> {
    let table = TableName::new(name)?;
    service.create_table(&table).await?;
    Ok(table)
}

fn upsert(partition: &str, row: &str, number: i64) -> Operation {
    Operation::InsertOrReplace(Entity::new(partition, row).with("N", number))
}

/// Returns the number in an entity; `None` if it does not exist.
async fn number(
    service: &Postgres,
    table: &TableName,
    partition: &str,
    row: &str,
) -> Result<Option<i64>, Error> {
    let row = service.get(table, partition, row, None).await?;
    Ok(row.map(|row| match row.properties.get("N") {
        Some(table_model::Value::Int64(number)) => *number,
        other => panic!("{other:?}"),
    }))
}
