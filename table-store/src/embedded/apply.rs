//! One operation against what is stored (`G-OP-1` to `G-OP-3`): decided first, written later.

use std::ops::ControlFlow;

use super::{
    engine::Read,
    prepared::{Action, Expected, Prepared},
    record::Record,
    seal::damaged,
};
use crate::{
    Condition, ETag, Entity, ErrorCode, Properties, Result, StorageFault, TableError, limits::KeyLength,
};

/// What an operation leaves under its key.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The record that it brings, with a new timestamp.
    AsSent,
    /// These properties, with a new timestamp.
    Merged(Properties),
    /// Nothing.
    Removed,
}

/// Decides on one operation, in this order:
///
/// 1. an entity that is to be new must not be there (`EntityAlreadyExists`); one that is to be changed or deleted
///    must be (`ResourceNotFound`), in the version asked for (`UpdateConditionNotSatisfied`);
/// 2. the result of a merge must keep the limits.
///
/// What was sent is checked before, and so is the table. Reads at most the one record, and only as much of it as the
/// decision needs: an upsert that replaces reads nothing, so it can also heal a damaged record.
pub(super) fn decide(read: &dyn Read, operation: &Prepared, length: KeyLength) -> Result<Outcome> {
    let key = operation.key();
    match &operation.action {
        Action::Put(_, expected) => {
            match expected {
                Expected::Nothing if read.get(key, &mut |_| ())? => {
                    return Err(ErrorCode::EntityAlreadyExists.into());
                }
                Expected::Nothing | Expected::Anything => {}
                Expected::Entity(condition) => expect(read, key, condition)?,
            }
            Ok(Outcome::AsSent)
        }
        Action::Remove(condition) => {
            expect(read, key, condition)?;
            Ok(Outcome::Removed)
        }
        Action::Merge(entity, Expected::Entity(condition)) => {
            let stored = stored(read, key, Some(condition))?.ok_or(ErrorCode::ResourceNotFound)?;
            merge(stored, entity, length).map(Outcome::Merged)
        }
        Action::Merge(entity, _) => match stored(read, key, None)? {
            Some(stored) => merge(stored, entity, length).map(Outcome::Merged),
            None => Ok(Outcome::Merged(entity.properties.clone())),
        },
    }
}

/// Whether all operations are inserts, and nothing is stored from the first key to the last: then each finds nothing
/// under its own. Looked for where it saves more than it costs, as when much is loaded in the order of its keys.
pub(super) fn are_all_new(read: &dyn Read, operations: &[Prepared]) -> Result<bool, StorageFault> {
    const MANY: usize = 8;
    let inserts = |operation: &Prepared| matches!(operation.action, Action::Put(_, Expected::Nothing));
    if operations.len() < MANY || !operations.iter().all(inserts) {
        return Ok(false);
    }
    let keys = || operations.iter().map(Prepared::key);
    let (Some(first), Some(last)) = (keys().min(), keys().max()) else { return Ok(false) };
    let mut none = true;
    // The last key itself lies below the same with a byte more.
    read.scan(first, &[last, &[0]].concat(), &mut |_, _| {
        none = false;
        ControlFlow::Break(())
    })?;
    Ok(none)
}

/// The entity must be there, in the version asked for.
fn expect(read: &dyn Read, key: &[u8], condition: &Condition) -> Result<()> {
    let mut held = Ok(());
    if !read.get(key, &mut |record| held = holds(condition, key, record))? {
        return Err(ErrorCode::ResourceNotFound.into());
    }
    held
}

fn holds(condition: &Condition, key: &[u8], record: &[u8]) -> Result<()> {
    match condition {
        Condition::Exists => Ok(()),
        Condition::Matches(etag) => matches(etag, &Record::new(key, record)?),
    }
}

fn matches(etag: &ETag, record: &Record<'_>) -> Result<()> {
    if ETag::from(record.timestamp()) == *etag {
        Ok(())
    } else {
        Err(ErrorCode::UpdateConditionNotSatisfied.into())
    }
}

/// The properties that are stored, if the entity is there.
fn stored(read: &dyn Read, key: &[u8], condition: Option<&Condition>) -> Result<Option<Properties>> {
    let mut found: Option<Result<Properties>> = None;
    read.get(key, &mut |bytes| {
        found = Some(Record::new(key, bytes).map_err(TableError::from).and_then(|record| {
            if let Some(Condition::Matches(etag)) = condition {
                matches(etag, &record)?;
            }
            let properties = record.properties();
            if !properties.is_sound() {
                return Err(damaged(key, "a property cannot be read").into());
            }
            Ok(properties.to_properties())
        }));
    })?;
    found.transpose()
}

/// The stored properties with those sent over them: each in its place, new ones at the end.
fn merge(mut stored: Properties, sent: &Entity, length: KeyLength) -> Result<Properties> {
    for (name, value) in &sent.properties {
        stored.set(name.clone(), value.clone());
    }
    let merged = Entity {
        partition_key: sent.partition_key.clone(),
        row_key: sent.row_key.clone(),
        properties: stored,
    };
    merged.check(length)?;
    Ok(merged.properties)
}

/// Whether the engine can do no more in this transaction. Damage of one record is a matter of one request.
pub(super) fn ends_transaction(fault: &StorageFault) -> bool {
    matches!(fault, StorageFault::Io(_) | StorageFault::DiskFull | StorageFault::Closed)
}
