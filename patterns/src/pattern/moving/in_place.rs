//! Entities whose old and new key are equal: both types are in one table, and, for example, another number of shards
//! leaves an entity in its shard.
//!
//! The row is the entity in every state of the move, and its `EntityType` tells whether it was moved. A move replaces it
//! in the version that was read, so there is neither a marker nor a copy.

use table_model::RowRef;

use super::{
    Keys, Moved, MovedFrom, Session, marker_of,
    read::Found,
    relocate::{Relocated, converted, moved},
    session::exists,
};
use crate::{
    Error, MoveState, RegistryError, Source, Stored, TableEntity, WriteResult,
    core::{entity::Writable, new::New, reserved::entity_type},
    design::Design,
    write::Write,
};

/// The row at a key that an entity has in both types.
pub(super) enum InPlace<E: MovedFrom> {
    Nothing,
    Old(Box<Stored<E::Old>>),
    New(Box<Stored<E>>),
}

/// Returns whether a row has the new type. The new type can list the old one among its aliases.
pub(super) fn is_new<E: MovedFrom>(row: RowRef<'_>) -> bool {
    entity_type(row)
        .is_some_and(|written| E::DESIGN.reads(written) && !<E::Old as TableEntity>::DESIGN.reads(written))
}

impl<E: MovedFrom> InPlace<E> {
    fn of(source: Source<'_>, row: RowRef<'_>) -> Result<Self, Error> {
        // The marker of an entity that had the same old key, and another new one.
        if marker_of(row).is_some() {
            return Ok(Self::Nothing);
        }
        if is_new::<E>(row) {
            return Ok(Self::New(Box::new(<E as Writable>::stored(source, row)?)));
        }
        Ok(Self::Old(Box::new(<E::Old as Writable>::stored(source, row)?)))
    }
}

impl<E: MovedFrom> Session<'_, E> {
    async fn in_place(&self, keys: &Keys) -> Result<InPlace<E>, Error> {
        let rows = self.tables.read(&keys.old, None).await?;
        let source = self.tables.source(&keys.old.table);
        rows.get(0).map_or(Ok(InPlace::Nothing), |row| InPlace::of(source, row))
    }

    pub(super) async fn find_in_place(&self, keys: &Keys) -> Result<Found<E>, Error> {
        let is_before = matches!(self.state, MoveState::Off | MoveState::Follow | MoveState::Both);
        Ok(match self.in_place(keys).await? {
            InPlace::New(stored) => Found::Entity(Moved::new(*stored)),
            InPlace::Old(stored) if is_before => {
                let entity = Moved::old(*stored);
                // The new key of the entity may contain fields that the old key does not.
                let is_it = Keys::of(&*entity).is_ok_and(|found| found == *keys);
                if is_it { Found::Entity(entity) } else { Found::Nothing }
            }
            InPlace::Old(_) | InPlace::Nothing => Found::Nothing,
        })
    }

    /// Makes one attempt to insert an entity. Its key is unique without a marker.
    pub(super) async fn insert_in_place(
        &self,
        keys: &Keys,
        entity: &E,
    ) -> Result<Option<WriteResult>, Error> {
        assert_convertible::<E>(keys)?;
        let new = match self.state {
            MoveState::Off | MoveState::Follow => New::of(&E::Old::from(entity.clone()))?,
            MoveState::Both | MoveState::New | MoveState::Gone => New::of(entity)?,
        };
        if let Some(Some(result)) = self.send(vec![Write::insert(new)?]).await? {
            return Ok(Some(result));
        }
        let rows = self.tables.read(&keys.old, None).await?;
        match rows.get(0).map(marker_of) {
            None => Ok(None),
            Some(None) => Err(exists()),
            Some(Some(marker)) => {
                let (from, to) = (Box::new(keys.old.clone()), Box::new(marker.to));
                Err(RegistryError::KeyTaken { from, to }.into())
            }
        }
    }

    /// Makes one attempt to replace the row by one of the new type.
    pub(super) async fn convert_in_place(
        &self,
        keys: &Keys,
        stored: &Stored<E::Old>,
    ) -> Result<Relocated<E>, Error> {
        assert_convertible::<E>(keys)?;
        let (new, unread) = converted::<E>(keys, stored)?;
        Ok(match self.send(vec![moved(new, Some(stored.etag()))?]).await? {
            Some(Some(written)) => {
                let stored = Stored::new(E::from((**stored).clone()), written.etag, written.timestamp);
                Relocated::Moved(Moved::new(stored.with_unread(unread)))
            }
            Some(None) => Relocated::Elsewhere,
            None => Relocated::Again,
        })
    }

    /// Returns the entity of the old type, unless it was moved or deleted.
    pub(super) async fn old_in_place(&self, keys: &Keys) -> Result<Option<Stored<E::Old>>, Error> {
        Ok(match self.in_place(keys).await? {
            InPlace::Old(stored) => Some(*stored),
            InPlace::New(_) | InPlace::Nothing => None,
        })
    }
}

/// Fails if a replacement of the row would have to change the derived rows or the feeds of two types at once.
pub(crate) fn assert_convertible<E: MovedFrom>(keys: &Keys) -> Result<(), Error> {
    let derives = |design: &Design| !design.indexes.is_empty() || design.changes.is_some();
    if derives(E::DESIGN) || derives(<E::Old as TableEntity>::DESIGN) {
        return Err(RegistryError::SameKey { address: Box::new(keys.old.clone()) }.into());
    }
    Ok(())
}
