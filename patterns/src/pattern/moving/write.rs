//! Writes of existing entities.

use super::{
    At, Keys, Moved, MovedFrom, Moving, Session,
    read::{contended, find},
    relocate::Relocated,
    session::{ATTEMPTS, changed},
    values::assert_same,
};
use crate::{
    Error, MoveState, Pending, Stored, Tables, WriteResult,
    core::{entity::Writable, entity_stamps::Stamps, old::Old},
    write::{Intent, Write},
};

/// What a write does with the entity.
enum Verb<'e, E> {
    Replace(&'e E),
    Delete,
}

impl<'t, E: MovedFrom> Moving<'t, E> {
    /// Replaces an entity that was read, unless it was changed since. Properties that the type does not declare are
    /// kept.
    ///
    /// In the state `both`, an entity at its old key is first moved: five requests more, once.
    ///
    /// # Errors
    /// Returns `UpdateConditionNotSatisfied` ([`Error::is_conflict`]) if a concurrent writer changed or moved the
    /// entity, and [`Error::KeyChanged`] if a field of the old or the new key was changed.
    pub fn replace(&self, entity: &Moved<E>) -> Pending<'t, WriteResult> {
        let (tables, entity) = (self.tables, entity.clone());
        Box::pin(async move { replace(tables, entity).await })
    }

    /// Reads an entity, changes it, and replaces it. If a concurrent writer changed it, it is read again, so `change`
    /// may run more than once. Returns the entity.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the entity does not exist, [`Error::Contended`] after 64 failed attempts, and the
    /// other errors of [`replace`](Self::replace).
    pub fn update(&self, key: &E::Key, mut change: impl FnMut(&mut E) + Send + 't) -> Pending<'t, E> {
        let (tables, keys) = (self.tables, Keys::of_key::<E>(key));
        Box::pin(async move {
            let keys = keys?;
            for _ in 0..ATTEMPTS {
                let Some(mut entity) = find::<E>(tables, &keys).await? else {
                    return Err(Error::NotFound(Box::new(keys.new)));
                };
                let created = entity.stored_creation();
                change(&mut entity);
                let mut value = entity.value.clone();
                match replace(tables, entity).await {
                    Ok(written) => {
                        let created = written.stamps.created.or(created);
                        value.set_stored_stamps(Stamps { created, ..written.stamps });
                        return Ok(value);
                    }
                    Err(error) if error.is_conflict() || error.is_not_found() => {}
                    Err(error) => return Err(error),
                }
            }
            Err(contended(&keys))
        })
    }

    /// Deletes an entity that was read, unless it was changed since.
    ///
    /// # Errors
    /// Returns `UpdateConditionNotSatisfied` ([`Error::is_conflict`]) if a concurrent writer changed, moved or deleted
    /// the entity.
    pub fn delete(&self, entity: &Moved<E>) -> Pending<'t, ()> {
        let (tables, entity) = (self.tables, entity.clone());
        Box::pin(async move { delete(tables, entity).await })
    }

    /// Deletes the entity with a new key, regardless of its version. Returns whether it existed.
    ///
    /// # Errors
    /// Returns [`Error::Contended`] after 64 failed attempts, and the errors of [`get`](Self::get).
    pub fn delete_at(&self, key: &E::Key) -> Pending<'t, bool> {
        let (tables, keys) = (self.tables, Keys::of_key::<E>(key));
        Box::pin(async move {
            let keys = keys?;
            for _ in 0..ATTEMPTS {
                let Some(entity) = find::<E>(tables, &keys).await? else { return Ok(false) };
                match delete(tables, entity).await {
                    Ok(()) => return Ok(true),
                    Err(error) if error.is_conflict() || error.is_not_found() => {}
                    Err(error) => return Err(error),
                }
            }
            Err(contended(&keys))
        })
    }
}

async fn replace<E: MovedFrom>(tables: &Tables, entity: Moved<E>) -> Result<WriteResult, Error> {
    let Moved { value, at } = entity;
    let (from, to) = (at.keys()?, Keys::of(&value)?);
    if from != to {
        let (from, to) = if from.new == to.new { (from.old, to.old) } else { (from.new, to.new) };
        return Err(Error::KeyChanged { from: Box::new(from), to: Box::new(to) });
    }
    value.validation()?;
    assert_same(&to, &E::Old::from(value.clone()), &value)?;
    let session = Session::of(tables).await?;
    session.write(&from, at, &Verb::Replace(&value)).await?.ok_or_else(changed)
}

async fn delete<E: MovedFrom>(tables: &Tables, entity: Moved<E>) -> Result<(), Error> {
    let keys = entity.at.keys()?;
    let session = Session::of(tables).await?;
    session.write(&keys, entity.at, &Verb::Delete).await.map(drop)
}

impl<E: MovedFrom> At<E> {
    /// Returns the keys of the row that was read.
    fn keys(&self) -> Result<Keys, Error> {
        match self {
            Self::Old(stored) => Keys::of_old::<E>(stored),
            Self::New(stored) => Keys::of::<E>(stored),
        }
    }
}

impl<E: MovedFrom> Session<'_, E> {
    /// Writes the version that was read.
    async fn write(&self, keys: &Keys, at: At<E>, verb: &Verb<'_, E>) -> Result<Option<WriteResult>, Error> {
        let write = match (at, self.state) {
            (At::Old(stored), MoveState::Off | MoveState::Follow) => {
                planned(*stored, verb, |entity| E::Old::from(entity.clone()))?
            }
            (At::Old(stored), MoveState::Both) => match self.relocate(keys, Some(stored.etag())).await? {
                Relocated::Moved(Moved { at: At::New(stored), .. }) => planned(*stored, verb, E::clone)?,
                Relocated::Moved(_) | Relocated::Elsewhere | Relocated::Again => return Err(changed()),
            },
            (At::New(stored), MoveState::Follow | MoveState::Both | MoveState::New | MoveState::Gone) => {
                planned(*stored, verb, E::clone)?
            }
            (At::Old(_), MoveState::New | MoveState::Gone) | (At::New(_), MoveState::Off) => {
                return Err(changed());
            }
        };
        self.send(vec![write]).await?.ok_or_else(changed)
    }
}

fn planned<E, S: Writable>(
    mut stored: Stored<S>,
    verb: &Verb<'_, E>,
    convert: impl FnOnce(&E) -> S,
) -> Result<Write, Error> {
    match verb {
        Verb::Delete => Write::delete(&Old::of(&stored)?),
        Verb::Replace(entity) => {
            *stored = convert(entity);
            match Intent::replace(&stored)? {
                Intent::Ready(write) => Ok(write),
                // The entity was read by its own key.
                Intent::Blind(_) | Intent::Late(_) => Err(changed()),
            }
        }
    }
}
