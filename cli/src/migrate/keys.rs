//! Numbers of rows by their keys, whichever version of the entity wrote them.

use table_designs::{evolution::IndexName, schema::Schema};
use table_schema::{
    design::{EntityDesign, Origin, RowKind},
    static_design::version_in,
};

use crate::{
    entity_rows::{each_found, is_derived, type_names},
    error::CommandError,
    location::Location,
};

/// The number of entities or of index rows, and of leftovers of a move at such keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) rows: u64,
    /// Markers, placeholders and copies of entities that were moved.
    pub(super) leftovers: u64,
}

/// Counts the rows of an index or a lookup, of all versions up to that of the design. Returns `None` for lists, which
/// are blobs, or can contain entities of other types.
pub(super) async fn rows_of_index(
    place: &Location,
    schema: &Schema,
    of: &IndexName,
) -> Result<Option<u64>, CommandError> {
    let Some(entity) = schema.stored_entity(&of.entity) else { return Ok(None) };
    let all = entity.row_kinds();
    let has_lists = entity.lookups.iter().any(|lookup| lookup.name == of.index && lookup.ids.is_some());
    let kind = all.iter().find(|kind| kind.origin != Origin::Primary && kind.name == of.index);
    let Some(kind) = kind.filter(|_| !has_lists) else { return Ok(None) };
    Ok(Some(count(place, &entity, &all, kind).await?.rows))
}

/// Counts the entities at the keys of a design.
pub(super) async fn entities(
    place: &Location,
    schema: &Schema,
    name: &str,
) -> Result<Option<Counted>, CommandError> {
    let Some(entity) = schema.stored_entity(name) else { return Ok(None) };
    let all = entity.row_kinds();
    let Some(kind) = all.iter().find(|kind| kind.origin == Origin::Primary) else { return Ok(None) };
    Ok(Some(count(place, &entity, &all, kind).await?))
}

/// Returns whether the rows that an entity has in the old design tell by their `EntityType` that they are not those of
/// the new design. Two types in one table have different names while entities are moved.
pub(super) fn has_type_of_its_own(old: &Schema, new: &Schema, name: &str) -> bool {
    let types =
        |schema: &Schema| schema.stored_entity(name).map(|entity| type_names(&entity)).unwrap_or_default();
    let (before, after) = (types(old), types(new));
    // The new design can list the older name in `aliases`, but writes its own.
    !before.is_empty() && after.first().is_some_and(|name| !before.contains(name))
}

async fn count(
    place: &Location,
    entity: &EntityDesign,
    all: &[RowKind],
    of: &RowKind,
) -> Result<Counted, CommandError> {
    let is_near = all.first().is_some_and(|primary| of.is_near(primary));
    let types = Types::of(entity, is_near);
    let mut counted = Counted::default();
    each_found(place, entity, of, |found| {
        let is_one = is_derived(found.row) != (of.origin == Origin::Primary) && found.has_keys();
        match types.sort(found.entity_type).filter(|_| is_one) {
            Some(Sort::Row) => counted.rows += 1,
            Some(Sort::Leftover) => counted.leftovers += 1,
            None => {}
        }
    })
    .await?;
    Ok(counted)
}

/// The values of `EntityType` of the rows of an entity.
#[derive(Debug)]
struct Types {
    /// Names without their version. Empty if the rows have no type.
    names: Vec<String>,
    version: u32,
    is_near: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Row,
    Leftover,
}

impl Types {
    fn of(entity: &EntityDesign, is_near: bool) -> Self {
        Self { names: type_names(entity), version: entity.version, is_near }
    }

    /// Returns what a row with such keys is, or `None` for a row of another entity.
    fn sort(&self, entity_type: Option<&str>) -> Option<Sort> {
        let is_own = |(name, version): (&str, u32)| {
            version <= self.version && self.names.iter().any(|own| own == name)
        };
        match entity_type {
            _ if self.names.is_empty() => Some(Sort::Row),
            // A placeholder in another partition has no type.
            None => (!self.is_near).then_some(Sort::Row),
            Some("!moved") => Some(Sort::Leftover),
            Some(name) => match name.strip_suffix('!') {
                Some(name) => is_own(version_in(name)).then_some(Sort::Leftover),
                None => is_own(version_in(name)).then_some(Sort::Row),
            },
        }
    }
}
