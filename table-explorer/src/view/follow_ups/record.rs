//! Commit records of writes that also affect rows in other partitions, pending and dead-lettered.

use std::time::Duration;

use table_model::{Name, TableError, Timestamp, Value, outbox::OutboxRow};

use crate::{Place, show::age, view::Context};

/// A commit record.
#[derive(Debug)]
pub(in crate::view) struct Record {
    pub(in crate::view) row: OutboxRow,
    /// Time of the write.
    pub(in crate::view) written: Option<Timestamp>,
    /// Number of attempts to apply it.
    pub(in crate::view) tries: i32,
    /// Error of the last attempt.
    pub(in crate::view) error: Option<String>,
}

impl Record {
    /// Reads a record. Returns `None` if it was applied since it was listed.
    pub(in crate::view) async fn read(place: &Place, row: OutboxRow) -> Result<Option<Self>, TableError> {
        let names = ["_at", "_tries", "_err", "Timestamp"].map(Name::from);
        let found = place.tables.get(&row.table, &row.partition_key, &row.row_key, Some(&names)).await?;
        Ok(found.map(|found| {
            let written = match found.properties.get("_at") {
                Some(Value::DateTime(written)) => Some(*written),
                _ => found.timestamp,
            };
            let tries = match found.properties.get("_tries") {
                Some(Value::Int32(tries)) => *tries,
                _ => 0,
            };
            let error = match found.properties.get("_err") {
                Some(Value::String(error)) => Some(error.clone()),
                _ => None,
            };
            Self { row, written, tries, error }
        }))
    }

    /// Returns the time since the write.
    pub(super) fn age(&self) -> Option<Duration> {
        self.written.map(|written| Timestamp::now().duration_since(written))
    }

    /// Returns the age for people.
    pub(in crate::view) fn shown_age(&self) -> String {
        self.age().map_or_else(|| "·".to_owned(), age)
    }

    /// Returns the address of the row.
    pub(in crate::view) fn url(&self, context: &Context<'_>) -> String {
        let OutboxRow { table, partition_key, row_key } = &self.row;
        context.url(&["t", table.as_str(), "e"], [("pk", partition_key.as_str()), ("rk", row_key.as_str())])
    }
}
