//! Dead-lettered commit records.

use std::time::Duration;

use table_model::{
    Condition, ETag, Entity, ErrorCode, Filter, Operation, Properties, Query, outbox::OutboxKind,
    queue::GetMessages,
};

use super::{conclude, pass::Applied};
use crate::{
    Address, Error, Pending, Poisoned, Receipt, Tables, TaskError,
    apply::{
        poison,
        wakeup::{self, Hint},
    },
    core::{
        error::may_pass,
        outbox::{Commit, DEAD_LETTERS, FIRST, LAST_DEAD_LETTER, TRIES},
        spec::filter::partition_eq,
    },
    handle::{
        left::LeftCommits,
        queue::{self, gone},
    },
};

impl Tables {
    /// Moves dead-lettered commits back to the pending commits. Returns their number.
    ///
    /// On a service without a list of commit records, it restores the dead-lettered wake-up messages, and the
    /// dead-lettered commits that they refer to.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// if tables.lag().await?.dead_lettered > 0 {
    ///     // After their cause is removed:
    ///     tables.retry_dead_letters().await?;
    ///     tables.catch_up().await?;
    /// }
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Service`] if a request fails.
    pub fn retry_dead_letters(&self) -> Pending<'_, usize> {
        Box::pin(async move {
            if !self.service().capabilities().marks && self.queues().is_ok() {
                return retry_hints(self).await;
            }
            let dead_lettered = self.list_outbox(OutboxKind::DeadLetters).await?;
            for record in &dead_lettered {
                unpark(self, record).await?;
            }
            Ok(dead_lettered.len())
        })
    }
}

/// Records a failure that is not transient. After `TRIES` failures, the commit record is dead-lettered.
pub(super) async fn give_up(
    tables: &Tables,
    record: &Address,
    etag: ETag,
    mut properties: Properties,
    tries: i32,
    left: LeftCommits,
) -> Result<Applied, Error> {
    properties.set("_tries", tries);
    properties.set("_err", left.message.chars().take(1_000).collect::<String>());
    let entity = |row_key: String, properties| Entity {
        partition_key: record.partition_key.clone(),
        row_key,
        properties,
    };
    let condition = Condition::Matches(etag);
    if tries < TRIES {
        let noted = Operation::Merge(entity(record.row_key.clone(), properties), condition);
        let left = Applied::Left(Box::new(left));
        return lost_or(tables.execute(&record.table, &noted).await.map(drop), left);
    }
    if !tables.service().capabilities().marks && tables.queues().is_ok() {
        // Written first, because nothing else records the location of the dead-lettered record.
        note(tables, record, tries, &left.message).await?;
    }
    let dead_lettered = record.row_key.replacen(FIRST, DEAD_LETTERS, 1);
    let delete = Operation::Delete {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.clone(),
        condition,
    };
    let moved = [delete, Operation::Insert(entity(dead_lettered, properties))];
    let moved = tables.service().transact(&record.table, &moved).await;
    lost_or(moved.map(drop).map_err(Error::from), Applied::DeadLettered)
}

/// Adds the location of a dead-lettered record to the poison queue.
async fn note(tables: &Tables, record: &Address, tries: i32, reason: &str) -> Result<(), Error> {
    let hint = Hint::of("", &receipt(record), tables.now());
    let (text, tries) = (hint.to_text(), u32::try_from(tries).unwrap_or_default());
    let text = text.map_err(|reason| TaskError::args("Hint", &reason))?;
    poison::put_aside(tables, &queue::queue(wakeup::QUEUE)?, &text, tries, reason).await
}

/// Returns the attempt that a pending or dead-lettered record belongs to.
fn receipt(record: &Address) -> Receipt {
    let Address { table, partition_key, row_key } = record.clone();
    let token = row_key.get(FIRST.len()..).unwrap_or_default().to_owned();
    Receipt { table, partition_key, token }
}

/// Restores the wake-up messages that were dead-lettered before the call, and their commits. Returns the number of
/// records.
async fn retry_hints(tables: &Tables) -> Result<usize, Error> {
    let (queue, poison) = (queue::queue(wakeup::QUEUE)?, queue::poison_queue(wakeup::QUEUE)?);
    let mut left = wakeup::waiting(tables, &poison).await?;
    let mut records = 0;
    while left > 0 {
        let get = GetMessages::new().visibility(Duration::from_secs(60));
        let Some(message) = tables.queues()?.get_messages(&poison, get).await?.pop() else { break };
        let given_up = Poisoned::parse(message.text).message;
        if let Ok(hint) = Hint::read(&given_up) {
            for record in dead_letters_in(tables, &hint).await? {
                unpark(tables, &record).await?;
                records += 1;
            }
        }
        // The message is sent only after the records were restored, otherwise a worker might find nothing. It may also
        // refer to other work.
        queue::put(tables, &queue, &queue::lasting(given_up)).await?;
        gone(tables.queues()?.delete_message(&poison, message.id, &message.pop_receipt).await)?;
        left -= 1;
    }
    Ok(records)
}

/// Returns the dead-lettered records in the partition of a wake-up message.
async fn dead_letters_in(tables: &Tables, hint: &Hint) -> Result<Vec<Address>, Error> {
    let keys = partition_eq(hint.partition_key.clone())
        .and(Filter::ge("RowKey", DEAD_LETTERS))
        .and(Filter::lt("RowKey", LAST_DEAD_LETTER));
    let mut query = Query { filter: Some(keys), ..Query::default() };
    let mut found = Vec::new();
    loop {
        let segment = match tables.service().query(&hint.table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(found),
            other => other?,
        };
        let keys = segment.rows.iter().filter_map(|row| row.row_key);
        found.extend(keys.map(|row_key| Address {
            table: hint.table.clone(),
            partition_key: hint.partition_key.clone(),
            row_key: row_key.to_owned(),
        }));
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(found);
        }
    }
}

/// Converts a dead-lettered record to a pending commit record.
async fn unpark(tables: &Tables, record: &Address) -> Result<(), Error> {
    let rows = tables.read(record, None).await?;
    let Some(row) = rows.get(0) else { return Ok(()) };
    let mut properties = row.properties.to_properties();
    properties.remove("_tries");
    properties.remove("_err");
    let entity = Entity {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.replacen(DEAD_LETTERS, FIRST, 1),
        properties,
    };
    let delete = Operation::Delete {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.clone(),
        condition: Condition::Matches(row.etag.clone()),
    };
    match tables.service().transact(&record.table, &[delete, Operation::Insert(entity)]).await {
        // An abort record occupies the key of the commit record. The record is applied where it is, or remains.
        Err(error) if error.code() == ErrorCode::EntityAlreadyExists => {
            let Ok(Some(commit)) = Commit::read(&record.table, row) else { return Ok(()) };
            match conclude(tables, &commit).await {
                Err(error) if may_pass(&error) => Err(error),
                _ => Ok(()),
            }
        }
        moved => lost_or(moved.map(drop).map_err(Error::from), Applied::Gone).map(drop),
    }
}

/// Treats a conflict with another worker as success.
fn lost_or(result: Result<(), Error>, outcome: Applied) -> Result<Applied, Error> {
    match result {
        Ok(()) => Ok(outcome),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(Applied::Gone),
        Err(error) => Err(error),
    }
}
