//! The steps of a move. Each write asks for the version that was read before: the archive's first, then the entity's. So
//! whoever deletes the entity has written the very state that he deletes into the archive, and nobody has overwritten that
//! with an older one.

use table_store::{Condition, Entity, Operation, TableName};

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
    for _ in 0..ATTEMPTS {
        match attempt::<E>(tables, from, &there).await {
            // Somebody else wrote: to the archive, or the entity. All is read again.
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            other => return other,
        }
    }
    Err(Error::Contended { address: Box::new(from.clone()), attempts: ATTEMPTS })
}

async fn attempt<E: TableEntity>(tables: &Tables, from: &Address, there: &Address) -> Result<bool, Error> {
    let archived = tables.read(there, None).await?;
    let rows = tables.read(from, None).await?;
    let Some(row) = rows.get(0) else { return Ok(false) };
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
    tables.execute(&there.table, &write).await?;
    tables.carry_out(delete).await?;
    Ok(true)
}
