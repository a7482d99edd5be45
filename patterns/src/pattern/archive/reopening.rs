//! The steps that return an entity from its archive: insert it, then delete the archive's row in the version that was
//! read.
//!
//! A move that deletes an entity has written its version into the archive's row before. The archive's row is therefore
//! never deleted while it names the version of the entity: the move could still delete the entity. If such a move starts
//! later, it replaces the archive's row, and the delete of the version that was read is rejected.

use table_model::{Properties, TableName, ValueRef};

use super::{
    Archived,
    moving::{Inserted, take_back},
    occupant::occupant,
};
use crate::{
    Address, Error, Stored, Tables,
    core::{
        blob::{digest::Digest, name::BlobPlace},
        cross_partition_row::{SHOWN, is_stub},
        entity::Writable,
        new::New,
        old::Old,
    },
    pattern::stamps::Stamped,
    write::{Intent, Write},
};

pub(super) async fn reopen<E: Archived>(tables: &Tables, to: &Address) -> Result<bool, Error> {
    let from = Address { table: TableName::new(E::ARCHIVE)?, ..to.clone() };
    tables.check_version(E::DESIGN).await?;
    let rows = tables.read(&from, None).await?;
    let is_archived = |row: &_| occupant(E::DESIGN, *row, *row).is_none();
    let Some(row) = rows.get(0).filter(is_archived) else { return Ok(false) };
    let archived = E::stored(tables.source(&from.table), row)?;
    let old = Old::of(&archived)?;
    match tables.carry_out(insert(&archived, &old)?).await {
        Err(error @ Error::AlreadyExists(_)) => {
            // An interrupted call may have inserted it.
            let rows = tables.read(to, None).await?;
            let Some(current) = rows.get(0).filter(|row| !is_stub(*row)) else { return Err(error) };
            let current_etag = current.etag.to_string();
            let is_moving = row.properties.get(SHOWN) == Some(ValueRef::String(&current_etag));
            if is_moving || !is_same(&archived, &E::stored(tables.source(&to.table), current)?)? {
                return Err(error);
            }
        }
        done => drop(done?),
    }
    let blobs = old.blobs.into_iter().map(|(_, blob)| blob.name);
    let blobs = blobs.filter(|name| BlobPlace::is_of(&from, name)).collect();
    take_back::<E>(tables, &from, Some(Inserted { etag: row.etag.clone(), blobs })).await?;
    Ok(true)
}

/// Returns the insert of an archived entity, which keeps the time of its creation and undeclared properties.
fn insert<E: Archived>(archived: &Stored<E>, old: &Old) -> Result<Intent, Error> {
    archived.check_valid()?;
    if let Some(property) = old.unread.bound() {
        let property = property.to_owned();
        return Err(Error::UndeclaredBound { address: Box::new(old.address.clone()), property });
    }
    let mut write = Write::insert(New::moved(&**archived)?.keep(&old.unread))?;
    if let Some(stamped) = write.change_mut::<Stamped>() {
        stamped.keep_created();
    }
    Ok(Intent::Ready(write))
}

/// Returns whether two rows contain the same entity, apart from the time of its last change.
fn is_same<E: Archived>(one: &Stored<E>, other: &Stored<E>) -> Result<bool, Error> {
    Ok(content(one)? == content(other)?)
}

fn content<E: Archived>(stored: &Stored<E>) -> Result<(Properties, Vec<Digest>), Error> {
    let old = Old::of(stored)?;
    let (_, mut properties) = New::moved(&**stored)?.keep(&old.unread).into_row();
    if let Some(updated) = E::DESIGN.updated {
        properties.remove(updated);
    }
    Ok((properties, old.blobs.iter().map(|(_, blob)| blob.digest).collect()))
}
