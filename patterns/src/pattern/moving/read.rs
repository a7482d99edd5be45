//! Point reads.

use super::{AtNew, AtOld, Keys, Marker, Moved, MovedFrom, Moving, Session, session::ATTEMPTS};
use crate::{Error, MoveState, Pending};

/// Result of one attempt.
pub(super) enum Found<E: MovedFrom> {
    Entity(Moved<E>),
    Nothing,
    /// The state or a row was changed concurrently.
    Again,
}

impl<'t, E: MovedFrom> Moving<'t, E> {
    /// Reads the entity with a new key. Returns `None` if it does not exist.
    ///
    /// The cost is one request. In the state `both`, an entity that is not moved, or does not exist, costs up to three;
    /// in the state `follow`, a moved entity costs two.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the key is invalid, [`Error::Decode`] if the row cannot be decoded, and
    /// [`Error::Registry`] if the handle has no registry.
    pub fn get(&self, key: &E::Key) -> Pending<'t, Option<Moved<E>>> {
        let (tables, keys) = (self.tables, Keys::of_key::<E>(key));
        Box::pin(async move { find(tables, &keys?).await })
    }
}

/// Reads an entity.
pub(super) async fn find<E: MovedFrom>(
    tables: &crate::Tables,
    keys: &Keys,
) -> Result<Option<Moved<E>>, Error> {
    for _ in 0..ATTEMPTS {
        match Session::<E>::of(tables).await?.find(keys).await? {
            Found::Entity(entity) => return Ok(Some(entity)),
            Found::Nothing => return Ok(None),
            Found::Again => {}
        }
    }
    Err(contended(keys))
}

pub(super) fn contended(keys: &Keys) -> Error {
    Error::Contended { address: Box::new(keys.new.clone()), attempts: ATTEMPTS }
}

impl<E: MovedFrom> Session<'_, E> {
    /// Makes one attempt to read an entity.
    pub(super) async fn find(&self, keys: &Keys) -> Result<Found<E>, Error> {
        let found = match self.state {
            _ if keys.are_equal() => self.find_in_place(keys).await?,
            MoveState::Off | MoveState::Follow => self.find_from_old(keys).await?,
            MoveState::Both => match AtNew::read(self.tables, &keys.new).await? {
                AtNew::Live(stored) => Found::Entity(Moved::new(*stored)),
                AtNew::Nothing | AtNew::Stub(_) | AtNew::Copy { .. } => self.find_from_old(keys).await?,
            },
            MoveState::New | MoveState::Gone => match AtNew::read(self.tables, &keys.new).await? {
                AtNew::Live(stored) => Found::Entity(Moved::new(*stored)),
                AtNew::Nothing | AtNew::Stub(_) | AtNew::Copy { .. } => Found::Nothing,
            },
        };
        Ok(if self.is_valid() { found } else { Found::Again })
    }

    /// Reads the old key, and the new key if a marker refers to it.
    async fn find_from_old(&self, keys: &Keys) -> Result<Found<E>, Error> {
        match AtOld::<E>::read(self.tables, &keys.old).await? {
            AtOld::Live(stored) => {
                let entity = Moved::old(*stored);
                // The new key of the entity may contain fields that the old key does not.
                let is_it = Keys::of(&*entity).is_ok_and(|found| found == *keys);
                Ok(if is_it { Found::Entity(entity) } else { Found::Nothing })
            }
            AtOld::Marker(_) if self.state == MoveState::Off => self.refuse_marker().map(|()| Found::Again),
            // The entity may have been moved after the new key was read.
            AtOld::Marker(marker) if marker.to == keys.new => self.find_marked(keys, &marker).await,
            AtOld::Nothing | AtOld::Marker(_) => Ok(Found::Nothing),
        }
    }

    /// Reads the new key, to which a marker refers.
    pub(super) async fn find_marked(&self, keys: &Keys, marker: &Marker) -> Result<Found<E>, Error> {
        match AtNew::read(self.tables, &keys.new).await? {
            AtNew::Live(stored) => Ok(Found::Entity(Moved::new(*stored))),
            copy => match copy.promoted_by(marker) {
                Some((etag, entity)) => {
                    self.promote(keys, etag, entity).await?;
                    Ok(Found::Again)
                }
                None => Ok(Found::Nothing),
            },
        }
    }
}
