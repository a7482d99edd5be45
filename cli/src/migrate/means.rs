//! What is known of each entity: whether it is in the registry, and which indexes the designs determine.

use table_designs::{
    evolution::{Change, ChangeCode, Means},
    schema::Schema,
};
use table_patterns::{DesignError, Designed, Tables, Unverifiable};

use crate::{error::CommandError, location::Location};

/// What is known of the entities whose index rows change.
#[derive(Debug, Default)]
pub(super) struct Known {
    entities: Vec<Entity>,
}

#[derive(Debug)]
struct Entity {
    name: String,
    is_registered: bool,
    /// Rows can have an older version than the newer design, which describes one version.
    is_versioned: bool,
    /// Indexes whose rows one of the designs does not determine, with the reasons.
    unjudged: Vec<Unverifiable>,
    /// Both designs determine the rows of the entity.
    is_whole: bool,
}

/// Reads what is known. Changes nothing.
pub(super) async fn known(
    place: &Location,
    (old, new): (&Schema, &Schema),
    changes: &[Change],
) -> Result<Known, CommandError> {
    let mut known = Known::default();
    for change in changes.iter().filter(|change| is_index(change)) {
        let name = entity_of(change);
        if known.entities.iter().any(|one| one.name == name) {
            continue;
        }
        let before = old.entity(name).map(|_| designed(place, old, name)).transpose()?.flatten();
        let after = new.entity(name).map(|_| designed(place, new, name)).transpose()?.flatten();
        let is_registered = tables(place).is_registered(new, name).await?;
        let all = before.iter().chain(&after);
        known.entities.push(Entity {
            name: name.to_owned(),
            is_registered,
            is_versioned: {
                let oldest = old.entity(name).map_or(1, |entity| entity.oldest);
                new.entity(name).is_some_and(|entity| entity.version > oldest)
            },
            unjudged: all.flat_map(|designed| designed.unjudged().iter().cloned()).collect(),
            is_whole: before.is_some() && after.is_some(),
        });
    }
    Ok(known)
}

/// Returns an entity by its design, or `None` if a design does not determine its rows.
pub(super) fn designed(
    place: &Location,
    schema: &Schema,
    name: &str,
) -> Result<Option<Designed>, CommandError> {
    match tables(place).design(schema, name) {
        Ok(designed) => Ok(Some(designed).filter(|designed| {
            // The rows of a wide entity are not complete entities. Other entities have no derived rows.
            designed.design().wide.is_none() && designed.design().is_in_one_place()
        })),
        Err(DesignError::NoType { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates a handle. Each design needs its own, because a handle knows one design of an entity.
pub(super) fn tables(place: &Location) -> Tables {
    Tables::from_services(place.tables.clone(), place.queues.clone(), place.blobs.clone())
}

impl Known {
    pub(super) fn of(&self, change: &Change) -> Means {
        let Some(entity) = self.entity(change) else { return Means::default() };
        Means {
            is_registered: entity.is_registered,
            is_versioned: entity.is_versioned,
            is_by_design: entity.is_whole && self.unjudged(change).is_none(),
        }
    }

    /// Returns the index that a design does not determine, if the change requires it.
    fn unjudged(&self, change: &Change) -> Option<&Unverifiable> {
        let entity = self.entity(change)?;
        let part = change.subject.split_once('.').map_or("", |(_, part)| part);
        let of_rows = entity.unjudged.iter().filter(|one| !is_total(one));
        // The registry requires all indexes of a program that changes one. Soft deletes concern all indexes.
        let is_of_all = entity.is_registered || change.code == ChangeCode::C32;
        of_rows.into_iter().find(|one| is_of_all || one.name == part)
    }

    /// Returns why a program must perform the jobs of a change.
    pub(super) fn reason(&self, change: &Change) -> String {
        let unjudged = self.unjudged(change).map(ToString::to_string);
        unjudged.unwrap_or_else(|| "no rows can be derived from its design".to_owned())
    }

    /// Returns the names of the entities in the registry.
    pub(super) fn registered(&self) -> impl Iterator<Item = &str> {
        self.entities.iter().filter(|entity| entity.is_registered).map(|entity| entity.name.as_str())
    }

    /// Returns the names of the entities whose indexes change without the registry.
    pub(super) fn unregistered(&self) -> impl Iterator<Item = &str> {
        self.entities.iter().filter(|entity| !entity.is_registered).map(|entity| entity.name.as_str())
    }

    fn entity(&self, change: &Change) -> Option<&Entity> {
        self.entities.iter().find(|one| is_index(change) && one.name == entity_of(change))
    }
}

/// Aggregates and copied fields have no index rows.
const fn is_total(one: &Unverifiable) -> bool {
    matches!(one.reason, table_patterns::UnverifiableReason::Total { .. })
}

/// Returns whether a change concerns indexes.
fn is_index(change: &Change) -> bool {
    use ChangeCode::{C09, C10, C11, C12, C13, C14, C32};
    matches!(change.code, C09 | C10 | C11 | C12 | C13 | C14 | C32) && !change.is_feed()
}

pub(super) fn entity_of(change: &Change) -> &str {
    change.subject.split_once('.').map_or(&change.subject, |(entity, _)| entity)
}
