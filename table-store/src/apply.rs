//! Execution of one operation against the stored state (`G-OP-1` to `G-OP-3`). The decision precedes all writes.

use std::ops::ControlFlow;

use table_model::{
    Condition, ErrorCode, Properties, Result, StorageFault, TableError, limits::KeyLength, operation::Effect,
};

use crate::{
    checksum::damaged,
    engine::Read,
    prepared::{Action, Expected, Prepared},
    record::Record,
};

/// Decides one operation like [`Operation::effect`](table_model::Operation::effect).
///
/// The content of the operation and the table were checked before. Reads at most one record, and only the part that the
/// decision requires. An upsert that replaces reads nothing, so it can also repair a damaged record.
pub(crate) fn decide(read: &dyn Read, operation: &Prepared, length: KeyLength) -> Result<Effect> {
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
            Ok(Effect::AsSent)
        }
        Action::Remove(condition) => {
            expect(read, key, condition)?;
            Ok(Effect::Removed)
        }
        Action::Merge(entity, Expected::Entity(condition)) => {
            let stored = stored(read, key, Some(condition))?.ok_or(ErrorCode::ResourceNotFound)?;
            entity.merged_into(stored, length).map(Effect::Merged)
        }
        Action::Merge(entity, _) => match stored(read, key, None)? {
            Some(stored) => entity.merged_into(stored, length).map(Effect::Merged),
            None => Ok(Effect::Merged(entity.properties.clone())),
        },
    }
}

/// Returns whether all operations are inserts and no record is stored between the first and the last key. Individual
/// lookups are then unnecessary. The scan is limited to cases in which it is cheaper, such as a bulk load in key order.
pub(crate) fn are_all_new(read: &dyn Read, operations: &[Prepared]) -> Result<bool, StorageFault> {
    const MANY: usize = 8;
    let inserts = |operation: &Prepared| matches!(operation.action, Action::Put(_, Expected::Nothing));
    if operations.len() < MANY || !operations.iter().all(inserts) {
        return Ok(false);
    }
    let keys = || operations.iter().map(Prepared::key);
    let (Some(first), Some(last)) = (keys().min(), keys().max()) else { return Ok(false) };
    let mut none = true;
    // The range end is exclusive: the last key with an additional byte is the first key after it.
    read.scan(first, &[last, &[0]].concat(), &mut |_, _| {
        none = false;
        ControlFlow::Break(())
    })?;
    Ok(none)
}

/// Checks that the entity exists in the required version.
fn expect(read: &dyn Read, key: &[u8], condition: &Condition) -> Result<()> {
    let mut held = Ok(());
    let check = |record: &[u8]| match condition {
        Condition::Exists => Ok(()),
        Condition::Matches(_) => condition.check(Record::new(key, record)?.timestamp()),
    };
    if !read.get(key, &mut |record| held = check(record))? {
        return Err(ErrorCode::ResourceNotFound.into());
    }
    held
}

/// Returns the stored properties, if the entity exists.
fn stored(read: &dyn Read, key: &[u8], condition: Option<&Condition>) -> Result<Option<Properties>> {
    let mut found: Option<Result<Properties>> = None;
    read.get(key, &mut |bytes| {
        found = Some(Record::new(key, bytes).map_err(TableError::from).and_then(|record| {
            condition.map_or(Ok(()), |condition| condition.check(record.timestamp()))?;
            let properties = record.properties();
            if !properties.is_sound() {
                return Err(damaged(key, "a property cannot be decoded").into());
            }
            Ok(properties.to_properties())
        }));
    })?;
    found.transpose()
}

/// Returns whether the engine cannot continue the transaction. Damage of one record only affects one request.
pub(crate) fn ends_transaction(fault: &StorageFault) -> bool {
    matches!(fault, StorageFault::Io(_) | StorageFault::DiskFull { .. } | StorageFault::Closed)
}
