//! Contents of the rows of a change feed.
//!
//! A record contains the properties of the entity as they are stored: encrypted values remain encrypted for the row of
//! the entity. The `EntityType` has another name, so that queries by `EntityType` do not return records. Ranges of keys
//! do not contain them, because their keys start with `!`.

use table_model::{
    Condition, ETag, Entity, Operation, Properties, RowRef, Rows, Timestamp, Value, ValueRef, rows::RowHead,
};

use super::{ChangeKind, name::FeedName};
use crate::{
    Address,
    core::reserved::{ENTITY_TYPE, NO_TOKEN, TRANSACTION},
    handle::heads::Head,
};

/// Property with the kind of a change.
pub(super) const KIND: &str = "_ck";
/// Property with the RowKey of the entity.
pub(super) const ROW_KEY: &str = "_rk";
/// Property of a record that is followed by a row with the previous state.
pub(super) const HAS_OLD: &str = "_old";
/// Property of a record that a job wrote again, with the time of its change.
pub(super) const TIME: &str = "_ct";
/// Property of a head with the number of the last record.
const SEQUENCE: &str = "_seq";
/// Property with the PartitionKey, in the list of partitions.
pub(super) const PARTITION: &str = "_pk";
/// Property with the `EntityType` of the entity.
pub(super) const TYPE: &str = "_et";
/// Number of properties of a record that the entity does not have.
pub(super) const OWN_PROPERTIES: usize = 4;

/// Returns the properties that belong to the library. They are different in each row.
fn is_own(name: &str) -> bool {
    matches!(name, TRANSACTION | KIND | ROW_KEY | HAS_OLD | TIME)
}

/// Returns the time of the change that a row of the feed records.
pub(super) fn time(row: RowRef<'_>) -> Option<Timestamp> {
    match row.properties.get(TIME) {
        Some(ValueRef::DateTime(time)) => Some(time),
        _ => row.timestamp,
    }
}

/// Returns the properties of a state of the entity, as a row of the feed stores them.
pub(super) fn state(stored: Properties, more: Vec<(&'static str, Value)>) -> Properties {
    let mut properties = Properties::with_capacity(stored.len() + OWN_PROPERTIES);
    for (name, value) in stored {
        if name == ENTITY_TYPE {
            properties.push_new(TYPE, value);
        } else if !is_own(&name) {
            properties.push_new(name, value);
        }
    }
    for (name, value) in more {
        properties.push_new(name, value);
    }
    properties
}

/// Returns the inserts of a record, and of the previous state if there is one.
pub(super) fn record(
    feed: FeedName,
    (entity, kind, sequence): (&Address, ChangeKind, u64),
    new: Option<Properties>,
    old: Option<Properties>,
) -> Vec<Operation> {
    let mut more = vec![(KIND, Value::from(kind.as_str())), (ROW_KEY, Value::from(entity.row_key.clone()))];
    more.extend(old.is_some().then(|| (HAS_OLD, Value::from(true))));
    more.push((TRANSACTION, Value::from(NO_TOKEN)));
    let row = |row_key: String, properties| {
        Operation::Insert(Entity { partition_key: entity.partition_key.clone(), row_key, properties })
    };
    let record = row(feed.record(sequence), state(new.unwrap_or_default(), more));
    let old = old.map(|old| row(feed.old(sequence), state(old, Vec::new())));
    std::iter::once(record).chain(old).collect()
}

/// Returns the operation that makes a record the last one. It fails if another writer has appended a record.
pub(super) fn advance(row: &Address, head: Option<&Head>, sequence: u64) -> Operation {
    let mut properties = Properties::with_capacity(2);
    properties.push_new(SEQUENCE, i64::try_from(sequence).unwrap_or(i64::MAX));
    properties.push_new(TRANSACTION, NO_TOKEN);
    let entity =
        Entity { partition_key: row.partition_key.clone(), row_key: row.row_key.clone(), properties };
    match head {
        Some(head) => Operation::Replace(entity, Condition::Matches(head.etag.clone())),
        None => Operation::Insert(entity),
    }
}

/// Decodes a head. The token is that of the last record.
pub(super) fn head(row: RowRef<'_>) -> Option<(Head, &str)> {
    let (Some(ValueRef::Int64(sequence)), Some(ValueRef::String(token))) =
        (row.properties.get(SEQUENCE), row.properties.get(TRANSACTION))
    else {
        return None;
    };
    Some((Head { sequence: u64::try_from(sequence).ok()?, etag: row.etag.clone() }, token))
}

/// Returns the operation that adds a partition to the list of partitions. It can be repeated.
pub(super) fn list(row: &Address, partition_key: &str) -> Operation {
    let mut properties = Properties::with_capacity(1);
    properties.push_new(PARTITION, partition_key);
    let (partition_key, row_key) = (row.partition_key.clone(), row.row_key.clone());
    Operation::InsertOrReplace(Entity { partition_key, row_key, properties })
}

/// Returns the properties of the entity in a row of the feed, as its own row stored them.
pub(super) fn stored(row: RowRef<'_>) -> Properties {
    let mut properties = Properties::with_capacity(row.properties.len());
    for (name, value) in row.properties {
        if name == TYPE {
            properties.push_new(ENTITY_TYPE, value.to_value());
        } else if !is_own(name) {
            properties.push_new(name.to_owned(), value.to_value());
        }
    }
    properties
}

/// Returns a row of the feed as if it were the row of its entity. Empty if the row is damaged.
pub(super) fn as_entity(entity: &Address, row: RowRef<'_>) -> Rows {
    let (mut whole, properties) = (Rows::new(), stored(row));
    let head = RowHead {
        etag: ETag::from(Timestamp::UNIX_EPOCH),
        partition_key: Some(entity.partition_key()),
        row_key: Some(entity.row_key()),
        timestamp: row.timestamp,
    };
    whole.push(head, properties.refs()).ok();
    whole
}
