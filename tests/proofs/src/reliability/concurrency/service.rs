//! Calls to a real store.

use std::{
    fmt::Debug,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use table_store::{
    BlockingStore, Condition, ETag, Entity, ErrorCode, Filter, Operation, Query, Row, Segment, Store,
    TableError, TableName, TableService, Timestamp, Value, Written,
};

use super::call::{Answer, Ask, Change, Place, Refusal, Rows, Seen, Slots, Verb, Version};
use crate::reliability::Violation;

/// The service that clients call: the store, or a wrapper of it with a bug.
pub trait Service: Debug + Sync {
    /// Sends a request and waits for the response.
    ///
    /// # Errors
    /// Returns a violation if the response is invalid.
    fn ask(&self, place: Place, ask: &Ask) -> Result<Answer, Violation>;

    /// Sends a request without waiting; returns the response if it was immediate.
    ///
    /// # Errors
    /// Returns a violation if the response is invalid.
    fn give_up(&self, place: Place, ask: &Ask) -> Result<Option<Answer>, Violation> {
        self.ask(place, ask).map(Some)
    }
}

/// The unmodified store.
#[derive(Clone, Debug)]
pub struct Sound {
    store: Store,
    tables: Vec<TableName>,
}

impl Sound {
    /// Creates the service on a new store, with this number of tables.
    ///
    /// # Errors
    /// Returns a violation if a table cannot be created.
    pub fn new(store: &BlockingStore, tables: u8) -> Result<Self, Violation> {
        let failed = Violation::failed("creating tables");
        let names = (0..tables).map(|table| TableName::new(format!("Table{table}")));
        let tables = names.collect::<Result<Vec<_>, _>>().map_err(&failed)?;
        tables.iter().try_for_each(|table| store.create_table(table)).map_err(&failed)?;
        Ok(Self { store: store.store().clone(), tables })
    }

    /// Returns the call as a future of the store.
    async fn call(&self, place: Place, ask: &Ask) -> Result<Answer, Violation> {
        let missing = || Violation::Visible { what: format!("{place:?} is not there") };
        let table = self.tables.get(usize::from(place.table)).ok_or_else(missing)?;
        let partition = partition_key(place);
        let answer = match ask {
            Ask::Get(row) => {
                let found = self.store.get(table, &partition, &row_key(*row), None).await;
                return Ok(Answer::Row(found.map_err(failed)?.as_ref().map(seen).transpose()?));
            }
            Ask::Scan(from, to) => {
                let filter = Filter::eq("PartitionKey", partition)
                    .and(Filter::ge("RowKey", row_key(*from)))
                    .and(Filter::lt("RowKey", row_key(*to)));
                let segment = self.store.query(table, Query::new().filter(filter)).await.map_err(failed)?;
                let mut found = by_partition(segment)?;
                return Ok(Answer::Rows(found.pop().map(|(_, rows)| rows).unwrap_or_default()));
            }
            Ask::Table => {
                let segment = self.store.query(table, Query::new()).await.map_err(failed)?;
                return by_partition(segment).map(Answer::Table);
            }
            Ask::Write(change) => {
                self.store.execute(table, &operation(place, change)).await.map(|written| vec![written])
            }
            Ask::Transact(changes) => {
                let operations: Vec<_> = changes.iter().map(|change| operation(place, change)).collect();
                self.store.transact(table, &operations).await
            }
        };
        match answer {
            Ok(written) => written.iter().map(version).collect::<Result<_, _>>().map(Answer::Done),
            Err(error) => refusal(&error).ok_or_else(|| failed(error)),
        }
    }
}

impl Service for Sound {
    fn ask(&self, place: Place, ask: &Ask) -> Result<Answer, Violation> {
        pollster::block_on(self.call(place, ask))
    }

    fn give_up(&self, place: Place, ask: &Ask) -> Result<Option<Answer>, Violation> {
        match pin!(self.call(place, ask)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer.map(Some),
            Poll::Pending => Ok(None),
        }
    }
}

fn failed(error: TableError) -> Violation {
    Violation::failed("clients work at the same time")(error)
}

fn refusal(error: &TableError) -> Option<Answer> {
    let reason = match error.code() {
        ErrorCode::EntityAlreadyExists => Refusal::Exists,
        ErrorCode::ResourceNotFound => Refusal::Missing,
        ErrorCode::UpdateConditionNotSatisfied => Refusal::Moved,
        _ => return None,
    };
    Some(Answer::Refused(reason, error.index()))
}

fn partition_key(place: Place) -> String {
    format!("partition{}", place.partition)
}

fn row_key(row: u8) -> String {
    format!("row{row:02}")
}

fn operation(place: Place, change: &Change) -> Operation {
    let (partition_key, row_key) = (partition_key(place), row_key(change.row));
    let known = change.version.and_then(Timestamp::from_ticks);
    let condition = known.map_or(Condition::Exists, |time| Condition::Matches(ETag::from(time)));
    let mut entity = Entity::new(partition_key.clone(), row_key.clone());
    for (name, slot) in NAMES.iter().zip(change.slots) {
        if let Some(number) = slot {
            entity.properties.set(*name, number);
        }
    }
    match change.verb {
        Verb::Insert => Operation::Insert(entity),
        Verb::Replace => Operation::Replace(entity, condition),
        Verb::Merge => Operation::Merge(entity, condition),
        Verb::InsertOrReplace => Operation::InsertOrReplace(entity),
        Verb::InsertOrMerge => Operation::InsertOrMerge(entity),
        Verb::Delete => Operation::Delete { partition_key, row_key, condition },
    }
}

/// Returns the rows of each partition, in the order of the segment.
fn by_partition(segment: Segment) -> Result<Vec<(u8, Rows)>, Violation> {
    if segment.continuation.is_some() {
        return Err(Violation::Visible { what: "a small segment has no end".to_owned() });
    }
    let mut found: Vec<(u8, Rows)> = Vec::new();
    for row in segment.rows {
        let (partition, number) = numbers(&row)?;
        let seen = (number, seen(&row)?);
        match found.last_mut() {
            Some((last, rows)) if *last == partition => rows.push(seen),
            _ => found.push((partition, vec![seen])),
        }
    }
    Ok(found)
}

const NAMES: [&str; 3] = ["P0", "P1", "P2"];

/// Returns the numbers of the row's partition and of the row.
fn numbers(row: &Row) -> Result<(u8, u8), Violation> {
    let partition = row.partition_key.as_deref().and_then(|key| key.strip_prefix("partition")?.parse().ok());
    let number = row.row_key.as_deref().and_then(|key| key.strip_prefix("row")?.parse().ok());
    partition.zip(number).ok_or_else(|| Violation::Visible { what: format!("nobody wrote {row:?}") })
}

/// Returns the version and the numbers of a row; its ETag must match its time, and it must contain nothing else.
fn seen(row: &Row) -> Result<Seen, Violation> {
    let mut slots = Slots::default();
    let mut known = 0;
    for (name, slot) in NAMES.iter().zip(&mut slots) {
        if let Some(Value::Int64(number)) = row.properties.get(name) {
            *slot = Some(*number);
            known += 1;
        }
    }
    match row.timestamp {
        Some(time) if row.etag == ETag::from(time) && row.properties.len() == known => {
            Ok(Seen { version: time.ticks(), slots })
        }
        _ => Err(Violation::Visible { what: format!("nobody wrote {row:?}") }),
    }
}

fn version(written: &Written) -> Result<Option<Version>, Violation> {
    match written {
        Written::Deleted => Ok(None),
        Written::Version { etag, timestamp } if *etag == ETag::from(*timestamp) => {
            Ok(Some(timestamp.ticks()))
        }
        Written::Version { .. } => {
            Err(Violation::Visible { what: format!("{written:?} disagrees with itself") })
        }
    }
}
