//! The steps of a move. Each write asks for the version that was read before: the archive's first, then the entity's. So
//! whoever deletes the entity has written the very state that he deletes into the archive, and nobody has overwritten that
//! with an older one.
//!
//! A move that inserts the archive's row and then finds the entity gone takes its row back: another move had written and
//! left the archive before, and its row was deleted, or moved on, since.

use table_store::{Condition, ETag, Entity, Operation, TableName};

use crate::{
    Address, Error, TableEntity, Tables, TaskError, derived::TRANSACTION, entity::Writable, follow::SHOWN,
    row::entity_type, write::Intent,
};

/// How often it begins again after other writers were faster.
const ATTEMPTS: u32 = 64;

pub(super) async fn move_entity<E: TableEntity>(
    tables: &Tables,
    from: &Address,
    to: &str,
) -> Result<bool, Error> {
    if E::DESIGN.wide.is_some() {
        return Err(TaskError::Wide { entity: E::DESIGN.name }.into());
    }
    let there = Address { table: TableName::new(to)?, ..from.clone() };
    if there.table == from.table {
        return Err(TaskError::SameTable { entity: E::DESIGN.name }.into());
    }
    let mut inserted = None;
    for _ in 0..ATTEMPTS {
        match attempt::<E>(tables, from, &there, &mut inserted).await {
            // Somebody else wrote: to the archive, or the entity. All is read again.
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            other => return other,
        }
    }
    Err(Error::Contended { address: Box::new(from.clone()), attempts: ATTEMPTS })
}

/// Makes one attempt. `inserted` is the version of the archive's row while only this call has written it.
async fn attempt<E: TableEntity>(
    tables: &Tables,
    from: &Address,
    there: &Address,
    inserted: &mut Option<ETag>,
) -> Result<bool, Error> {
    let archived = tables.read(there, None).await?;
    let rows = tables.read(from, None).await?;
    let Some(row) = rows.get(0) else {
        take_back(tables, there, inserted.take()).await?;
        return Ok(false);
    };
    let stored = E::stored(tables.source(&from.table), row)?;
    let delete = Intent::delete(&stored)?;

    // The whole row, also properties that the type does not know.
    let mut properties = row.properties.to_properties();
    tables.reseal_row(
        E::DESIGN.written_by(entity_type(row)),
        from.place(),
        there.place(),
        &mut properties,
    )?;
    properties.remove(TRANSACTION);
    properties.set(SHOWN, row.etag.to_string());
    let (partition_key, row_key) = (there.partition_key.clone(), there.row_key.clone());
    let entity = Entity { partition_key, row_key, properties };
    let write = match archived.get(0) {
        None => Operation::Insert(entity),
        Some(row) => Operation::Replace(entity, Condition::Matches(row.etag.clone())),
    };
    let is_own = archived.get(0).is_none_or(|row| inserted.as_ref() == Some(row.etag));
    *inserted = tables.execute(&there.table, &write).await?.filter(|_| is_own);
    tables.carry_out(delete).await?;
    Ok(true)
}

/// Deletes the archive's row if it is still the one that this call inserted.
async fn take_back(tables: &Tables, there: &Address, inserted: Option<ETag>) -> Result<(), Error> {
    let Some(etag) = inserted else { return Ok(()) };
    let (partition_key, row_key) = (there.partition_key.clone(), there.row_key.clone());
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
    match tables.execute(&there.table, &delete).await {
        Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
