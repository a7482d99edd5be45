//! Inserts.

use table_model::Operation;

use super::{
    AtNew, AtOld, Keys, Marker, MovedFrom, Moving, Session,
    read::contended,
    relocate::live,
    rows::marker,
    session::{ATTEMPTS, exists},
    values::assert_same,
};
use crate::{
    Error, MoveState, Pending, RegistryError, WriteResult,
    core::new::New,
    write::{Write, at},
};

impl<'t, E: MovedFrom> Moving<'t, E> {
    /// Inserts a new entity. In the state `both`, and as long as other programs can be in it, it costs two requests: it
    /// first writes the marker at the old key, so that the old and the new key are unique together.
    ///
    /// # Errors
    /// Returns `EntityAlreadyExists` ([`Error::is_conflict`]) if an entity with the old or the new key exists, and
    /// [`RegistryError::NotReversible`] if the keys do not determine each other, and
    /// [`RegistryError::ValueChanged`] if the conversion changes a unique value.
    pub fn insert(&self, entity: &E) -> Pending<'t, WriteResult> {
        let (tables, keys, entity) = (self.tables, Keys::of(entity), entity.clone());
        Box::pin(async move {
            let keys = keys?;
            assert_same(&keys, &E::Old::from(entity.clone()), &entity)?;
            for _ in 0..ATTEMPTS {
                if let Some(result) = Session::of(tables).await?.insert(&keys, &entity).await? {
                    return Ok(result);
                }
            }
            Err(contended(&keys))
        })
    }
}

impl<E: MovedFrom> Session<'_, E> {
    /// Makes one attempt to insert an entity. Returns `None` if a concurrent writer changed a row, or the state expired.
    async fn insert(&self, keys: &Keys, entity: &E) -> Result<Option<WriteResult>, Error> {
        entity.validation()?;
        if keys.are_equal() {
            return self.insert_in_place(keys, entity).await;
        }
        match self.state {
            MoveState::Off | MoveState::Follow => {
                let write = Write::insert(New::of(&E::Old::from(entity.clone()))?)?;
                if let Some(Some(result)) = self.send(vec![write]).await? {
                    return Ok(Some(result));
                }
            }
            MoveState::Both | MoveState::New if self.claims() => {
                if self.claim(keys).await? {
                    return self.put(keys, entity, None).await;
                }
            }
            MoveState::Both | MoveState::New | MoveState::Gone => return self.put(keys, entity, None).await,
        }
        match AtOld::<E>::read(self.tables, &keys.old).await? {
            AtOld::Nothing => Ok(None),
            AtOld::Live(_) => Err(exists()),
            AtOld::Marker(_) if self.state == MoveState::Off => self.refuse_marker().map(|()| None),
            AtOld::Marker(marker) if marker.to == keys.new => self.put(keys, entity, Some(&marker)).await,
            AtOld::Marker(marker) => {
                let (from, to) = (Box::new(keys.old.clone()), Box::new(marker.to));
                Err(RegistryError::KeyTaken { from, to }.into())
            }
        }
    }

    /// Inserts a marker at the old key. Returns `false` if a row exists there.
    pub(crate) async fn claim(&self, keys: &Keys) -> Result<bool, Error> {
        let claim = at(keys.old.clone(), marker(keys, None), Operation::Insert);
        Ok(self.execute(&keys.old.table, &claim).await?.is_some())
    }

    /// Inserts the entity at its new key, or replaces a row there that is not an entity.
    async fn put(
        &self,
        keys: &Keys,
        entity: &E,
        marker: Option<&Marker>,
    ) -> Result<Option<WriteResult>, Error> {
        if marker.is_none()
            && let Some(Some(result)) = self.send(vec![live(New::of(entity)?, None)?]).await?
        {
            return Ok(Some(result));
        }
        let found = AtNew::<E>::read(self.tables, &keys.new).await?;
        if matches!(found, AtNew::Live(_)) {
            return Err(exists());
        }
        if let Some((etag, copy)) = marker.and_then(|marker| found.promoted_by(marker)) {
            self.promote(keys, etag, copy).await?;
            return Ok(None);
        }
        let write = live(New::of(entity)?, found.replaceable())?;
        Ok(self.send(vec![write]).await?.flatten())
    }
}
