//! The steps of a move. Each write requires the version that was read before: first the version of the archive's row,
//! then that of the entity's row. The worker that deletes the entity has therefore written the deleted state into the
//! archive, and no worker has replaced that state with an older one.
//!
//! A move may insert the archive's row and then find, before it sends a delete, that the entity no longer exists. It
//! then deletes the row that it inserted: another move wrote the archive before, and that row was deleted or moved
//! again since.
//!
//! A move replaces a row of the archive only if an earlier move or a type that reads the entity's rows wrote it.
//! Otherwise it writes nothing.
//!
//! After a delete was sent, a move never deletes the archive's row: a delete that finds no entity may be
//! the second copy of a delete that succeeded.
//!
//! A row of the archive table that is not this entity's is never replaced: the move ends before it writes.

use table_model::{Condition, ETag, ErrorCode, Operation, Properties, RowRef, Rows, TableError, TableName};

use crate::{
    AccessPath, Address, BlobError, Error, TableEntity, Tables, TaskError,
    core::{
        cross_partition_row::{SHOWN, is_stub},
        entity::Writable,
        entity_types::EntityInfo,
        reserved::{TRANSACTION, entity_type},
        unread::Unread,
    },
    pattern::{archive::occupant::occupant, large::Blobs},
    write::{CrossPartition, Intent, Write, at},
};

/// Maximum number of attempts after concurrent writes.
const ATTEMPTS: u32 = 64;

/// The archive's row, while only this call has written it.
pub(super) struct Inserted {
    pub(super) etag: ETag,
    /// Blobs that the row references.
    pub(super) blobs: Vec<String>,
}

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
    if let Some(archived) = with_derived_rows::<E>(tables, &there) {
        return Err(TaskError::DerivedRows { entity: E::DESIGN.name, archived }.into());
    }
    let mut inserted = None;
    for _ in 0..ATTEMPTS {
        match attempt::<E>(tables, from, &there, &mut inserted).await {
            // Another client wrote to the archive or the entity. Both are read again.
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            other => return other,
        }
    }
    Err(Error::Contended { address: Box::new(from.clone()), attempts: ATTEMPTS })
}

/// Returns a registered entity type of the archive table that has index rows or contributions. A move writes the row
/// only, so that a later write of that type would remove rows and contributions that do not exist.
fn with_derived_rows<E: TableEntity>(tables: &Tables, there: &Address) -> Option<&'static str> {
    let reads_it = |kind: &EntityInfo| {
        kind.newest().table.eq_ignore_ascii_case(there.table.as_str())
            && E::DESIGN.entity_type.is_none_or(|entity_type| kind.reads(entity_type))
    };
    let has_rows = |kind: &EntityInfo| kind.rules().next().is_some();
    tables
        .kinds()
        .all()
        .into_iter()
        .find(|kind| reads_it(kind) && has_rows(kind))
        .map(EntityInfo::stored_name)
}

async fn attempt<E: TableEntity>(
    tables: &Tables,
    from: &Address,
    there: &Address,
    inserted: &mut Option<Inserted>,
) -> Result<bool, Error> {
    tables.check_version(E::DESIGN).await?;
    let archived = tables.read(there, None).await?;
    let rows = tables.read(from, None).await?;
    // A target row without its entity is not an entity.
    let Some(row) = rows.get(0).filter(|row| !is_stub(*row)) else {
        take_back::<E>(tables, there, inserted.take()).await?;
        return Ok(false);
    };
    let stored = E::stored(tables.source(&from.table), row)?;
    if let Some(found) = archived.get(0).and_then(|archived| occupant(E::DESIGN, row, archived)) {
        let (entity, address) = (E::DESIGN.name, Box::new(there.clone()));
        return Err(TaskError::Occupied { entity, address, found }.into());
    }
    let delete = Intent::delete(&stored)?;
    let is_own = match archived.get(0) {
        Some(row) => inserted.as_ref().is_some_and(|inserted| inserted.etag == *row.etag),
        None => true,
    };
    *inserted = archive::<E>(tables, (from, row), (there, &archived)).await?.filter(|_| is_own);
    if inserted.is_some() && is_changed(tables, from, row).await? {
        return Err(TableError::new(ErrorCode::UpdateConditionNotSatisfied).into());
    }
    let deleted = tables.carry_out(delete).await;
    if deleted.as_ref().is_err_and(Error::is_not_found) {
        // A repeated request may have deleted the entity, so the archive's row can be the only copy from now on.
        *inserted = None;
    }
    deleted.map(|_| true)
}

/// Writes the archive's row if it is unchanged since it was read.
async fn archive<E: TableEntity>(
    tables: &Tables,
    (from, row): (&Address, RowRef<'_>),
    (to, archived): (&Address, &Rows),
) -> Result<Option<Inserted>, Error> {
    // Includes properties that the type does not contain.
    let mut properties = row.properties.to_properties();
    let design = E::DESIGN.written_by(entity_type(row));
    if let Some(property) = Unread::of(design, AccessPath::Own, row).sealed() {
        let property = property.to_owned();
        return Err(Error::UndeclaredBound { address: Box::new(from.clone()), property });
    }
    tables.reseal_row(design, from.place(), to.place(), &mut properties)?;
    properties.remove(TRANSACTION);
    properties.set(SHOWN, row.etag.to_string());
    let mut far = CrossPartition::nothing(EntityInfo::of::<E>());
    let (name, there) = (E::DESIGN.stored_name(), (to, archived.get(0)));
    let blobs = Blobs::moved(name, (from, row), there, &mut properties, &mut far.touches);
    let operation = operation(to, archived.get(0), properties);
    if blobs.is_empty() {
        let etag = tables.execute(&to.table, &operation).await?;
        return Ok(etag.map(|etag| Inserted { etag, blobs: Vec::new() }));
    }
    let write = Write::alone(to.table.clone(), operation).with(far).with(blobs);
    let written = match tables.transact_all(vec![write]).await.map_err(Error::alone) {
        // A newer version has released the original blob. The entity is read again.
        Err(Error::Blob(BlobError::Missing { .. })) if is_changed(tables, from, row).await? => {
            return Err(TableError::new(ErrorCode::UpdateConditionNotSatisfied).into());
        }
        other => other?.into_iter().next().flatten(),
    };
    Ok(written.map(|written| {
        let blobs = written.blobs().map(str::to_owned).collect();
        Inserted { etag: written.etag, blobs }
    }))
}

fn operation(to: &Address, replaced: Option<RowRef<'_>>, properties: Properties) -> Operation {
    at(to.clone(), properties, |entity| match replaced {
        None => Operation::Insert(entity),
        Some(row) => Operation::Replace(entity, Condition::Matches(row.etag.clone())),
    })
}

/// Returns whether an entity was written or deleted after it was read.
async fn is_changed(tables: &Tables, at: &Address, read: RowRef<'_>) -> Result<bool, Error> {
    let rows = tables.read(at, None).await?;
    Ok(rows.get(0).is_none_or(|row| row.etag != read.etag))
}

/// Deletes the archive's row if it is still in this version.
pub(super) async fn take_back<E: TableEntity>(
    tables: &Tables,
    there: &Address,
    inserted: Option<Inserted>,
) -> Result<(), Error> {
    let Some(Inserted { etag, blobs }) = inserted else { return Ok(()) };
    let (partition_key, row_key) = (there.partition_key.clone(), there.row_key.clone());
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
    let mut far = CrossPartition::nothing(EntityInfo::of::<E>());
    let blobs = Blobs::released(E::DESIGN.stored_name(), there, &blobs, &mut far.touches);
    let deleted = if blobs.is_empty() {
        tables.execute(&there.table, &delete).await.map(drop)
    } else {
        let write = Write::alone(there.table.clone(), delete).with(far).with(blobs);
        tables.transact_all(vec![write]).await.map(drop)
    };
    match deleted {
        Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
