//! The move of one entity.
//!
//! | step | request | if it is refused |
//! |---|---|---|
//! | M0 | the `ETag` of the new key: insert a placeholder | read the row there |
//! | M1 | read the old key, after M0 | |
//! | M2 | replace the new key by a copy, if it has the `ETag` of M0 | from M0 |
//! | M3 | replace the old key by a marker, if it has the `ETag` of M1: the entity is moved | from M0 |
//! | M4 | replace the copy by the entity, if it has the `ETag` of M2 | another process did it |
//!
//! Within a partition, M3 and the insert of the entity are one transaction. If both keys are equal, the entity is
//! replaced in place.

use std::any::Any;

use table_model::{Condition, ETag, Operation};

use super::{
    AtNew, AtOld, Keys, Marker, Moved, MovedFrom, Session,
    rows::{copy, marker, stub},
    values::assert_same,
};
use crate::{
    Error, MoveState, RegistryError, Stored,
    core::{
        new::New,
        old::Old,
        reserved::{NO_TOKEN, TRANSACTION},
        unread::Unread,
    },
    pattern::{stamps::Stamped, unique::Claims},
    write::{Write, at},
};

/// Result of an attempt to move an entity.
pub(crate) enum Relocated<E: MovedFrom> {
    /// This attempt moved the entity.
    Moved(Moved<E>),
    /// There is no entity at the old key: it does not exist, or another process moved it.
    Elsewhere,
    /// A concurrent writer changed a row, or the state expired.
    Again,
}

impl<E: MovedFrom> Session<'_, E> {
    /// Makes one attempt to move the entity at an old key. If `expected` is set, only that version.
    pub(crate) async fn relocate(&self, keys: &Keys, expected: Option<&ETag>) -> Result<Relocated<E>, Error> {
        if self.state != MoveState::Both || !self.is_valid() {
            return Ok(Relocated::Again);
        }
        if keys.are_equal() {
            let is_expected =
                |stored: &Stored<E::Old>| expected.is_none_or(|expected| expected == stored.etag());
            return match self.old_in_place(keys).await?.filter(is_expected) {
                Some(stored) => self.convert_in_place(keys, &stored).await,
                None => Ok(Relocated::Elsewhere),
            };
        }
        let reserved = if keys.in_one_partition() { None } else { Some(self.reserve(keys).await?) };
        let stored = match AtOld::<E>::read(self.tables, &keys.old).await? {
            AtOld::Nothing => return Ok(Relocated::Elsewhere),
            AtOld::Marker(marker) => {
                self.settle(keys, &marker).await?;
                return Ok(Relocated::Elsewhere);
            }
            AtOld::Live(stored) => *stored,
        };
        if expected.is_some_and(|expected| expected != stored.etag()) {
            return Ok(Relocated::Elsewhere);
        }
        if Keys::of_old::<E>(&stored)? != *keys {
            return Ok(Relocated::Elsewhere);
        }
        match reserved {
            None => self.move_within(keys, &stored).await,
            Some(Reserved::Row(etag)) => self.move_across(keys, &stored, etag).await,
            Some(Reserved::Taken) => Err(taken(keys)),
            Some(Reserved::Again) => Ok(Relocated::Again),
        }
    }

    /// Completes the move that a marker belongs to.
    pub(crate) async fn settle(&self, keys: &Keys, marker: &Marker) -> Result<(), Error> {
        let copy = AtNew::<E>::read(self.tables, &keys.new).await?;
        match copy.promoted_by(marker).filter(|_| marker.to == keys.new) {
            Some((etag, entity)) => self.promote(keys, etag, entity).await.map(drop),
            None => Ok(()),
        }
    }

    /// M4. Returns the entity, unless another process replaced the copy.
    pub(super) async fn promote(
        &self,
        keys: &Keys,
        etag: &ETag,
        entity: &Stored<E>,
    ) -> Result<Option<Stored<E>>, Error> {
        let new = New::moved(&**entity)?.keep(entity.unread_properties());
        let Some(Some(written)) = self.send(vec![moved(new, Some(etag))?]).await? else { return Ok(None) };
        let source = self.tables.source(&keys.new.table);
        let stored = Stored::read((**entity).clone(), source.path, written.etag, written.timestamp);
        Ok(Some(stored.with_unread(entity.unread_properties().clone())))
    }

    /// M0. An entity is rarely at the new key, so the placeholder is inserted without a read.
    async fn reserve(&self, keys: &Keys) -> Result<Reserved, Error> {
        let insert = at(keys.new.clone(), stub::<E>(), Operation::Insert);
        if let Some(etag) = self.execute(&keys.new.table, &insert).await? {
            return Ok(Reserved::Row(etag));
        }
        match AtNew::<E>::read(self.tables, &keys.new).await? {
            AtNew::Live(_) => Ok(Reserved::Taken),
            AtNew::Stub(etag) | AtNew::Copy { etag, .. } => Ok(Reserved::Row(etag)),
            AtNew::Nothing => Ok(Reserved::Again),
        }
    }

    async fn move_across(
        &self,
        keys: &Keys,
        stored: &Stored<E::Old>,
        reserved: ETag,
    ) -> Result<Relocated<E>, Error> {
        let (new, unread) = converted::<E>(keys, stored)?;
        let properties = copy::<E>(new.clone().into_row().1, stored.etag());
        let pend = at(keys.new.clone(), properties, |entity| {
            Operation::Replace(entity, Condition::Matches(reserved))
        });
        let Some(etag) = self.execute(&keys.new.table, &pend).await? else { return Ok(Relocated::Again) };
        if self.send(vec![switch::<E>(keys, stored)?]).await?.is_none() {
            return Ok(Relocated::Again);
        }
        let entity = Stored::new(E::from((**stored).clone()), etag.clone(), stored.timestamp());
        let promoted = self.promote(keys, &etag, &entity.with_unread(unread)).await?;
        Ok(promoted.map_or(Relocated::Elsewhere, |stored| Relocated::Moved(Moved::new(stored))))
    }

    async fn move_within(&self, keys: &Keys, stored: &Stored<E::Old>) -> Result<Relocated<E>, Error> {
        let (new, unread) = converted::<E>(keys, stored)?;
        match self.send(vec![switch::<E>(keys, stored)?, moved(new, None)?]).await? {
            Some(Some(written)) => {
                let stored = Stored::new(E::from((**stored).clone()), written.etag, written.timestamp);
                Ok(Relocated::Moved(Moved::new(stored.with_unread(unread))))
            }
            Some(None) => Ok(Relocated::Elsewhere),
            None => match AtNew::<E>::read(self.tables, &keys.new).await? {
                AtNew::Live(_) if self.is_at_old(keys, stored.etag()).await? => Err(taken(keys)),
                _ => Ok(Relocated::Again),
            },
        }
    }

    async fn is_at_old(&self, keys: &Keys, etag: &ETag) -> Result<bool, Error> {
        let found = AtOld::<E>::read(self.tables, &keys.old).await?;
        Ok(matches!(found, AtOld::Live(stored) if stored.etag() == etag))
    }
}

/// The row at the new key, before the old key is read.
enum Reserved {
    Row(ETag),
    /// Another entity is there, unless the entity was moved.
    Taken,
    Again,
}

/// Returns the entity at its new key, with the properties that neither type declares.
pub(super) fn converted<E: MovedFrom>(keys: &Keys, stored: &Stored<E::Old>) -> Result<(New, Unread), Error> {
    if let Some(property) = stored.unread_properties().bound() {
        let property = property.to_owned();
        return Err(Error::UndeclaredBound { address: Box::new(keys.old.clone()), property });
    }
    let unread = stored.unread_properties().without(|name| E::DESIGN.stores(name));
    let entity = E::from((**stored).clone());
    assert_same::<E>(keys, stored, &entity)?;
    Ok((New::moved(&entity)?.keep(&unread), unread))
}

/// Returns the write that replaces the entity at the old key, and deletes its index rows: for them, it is a delete of the
/// entity.
fn switch<E: MovedFrom>(keys: &Keys, stored: &Stored<E::Old>) -> Result<Write, Error> {
    let mut write = Write::delete(&Old::of(stored)?)?;
    let mut properties = marker(keys, Some(stored.etag()));
    if write.has_record() {
        // The token shows whether the write was executed after its record was applied and deleted.
        properties.push_new(TRANSACTION, NO_TOKEN);
    }
    write.operation = at(keys.old.clone(), properties, |entity| {
        Operation::Replace(entity, Condition::Matches(stored.etag().clone()))
    });
    Ok(write)
}

/// Returns the write of the entity at its new key: an insert, or a replacement of a row that is not an entity.
pub(super) fn live(new: New, replaced: Option<&ETag>) -> Result<Write, Error> {
    let mut write = Write::insert(new)?;
    if let (Operation::Insert(entity), Some(etag)) = (&write.operation, replaced) {
        write.operation = Operation::Replace(entity.clone(), Condition::Matches(etag.clone()));
    }
    Ok(write)
}

/// Returns the write of an entity that was moved. Its unique values belong to it already, so that it claims none.
pub(super) fn moved(new: New, replaced: Option<&ETag>) -> Result<Write, Error> {
    let mut write = live(new, replaced)?;
    // The entity is not created, and its contents do not change.
    write.changes.retain(|change| {
        let change = &**change as &dyn Any;
        !change.is::<Claims>() && !change.is::<Stamped>()
    });
    Ok(write)
}

fn taken(keys: &Keys) -> Error {
    let (from, to) = (Box::new(keys.old.clone()), Box::new(keys.new.clone()));
    RegistryError::KeyTaken { from, to }.into()
}
