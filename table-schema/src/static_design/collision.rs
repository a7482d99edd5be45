//! Derived or archived rows of two entities that can have the same key.

use std::fmt;

use super::{Contribution, Design, Index};
use crate::template::{KeyForm, Part, rows_can_meet, same_form};

/// A key collision: rows of two entities in one table that can have the same key, or be in each other's ranges or
/// lists, where at least one of them is derived by an index or a lookup, or moved to an archive. Also two entities with
/// the same name, because commit records identify entities by name.
///
/// The `Display` output names both and the remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Collision {
    /// The name of one entity.
    pub entity: &'static str,
    /// Its index or lookup, `row` for its own rows, or `archive` for those moved to its archive.
    pub rows: &'static str,
    /// The name of the other entity. It is equal to `entity` if the names collide.
    pub other: &'static str,
    /// Its index or lookup, `row` for its own rows, or `archive` for those moved to its archive.
    pub other_rows: &'static str,
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, rows, other, other_rows } = self;
        if entity == other && *rows != "row" {
            return write!(
                f,
                "the lists `{rows}` and `{other_rows}` of versions of `{entity}` are in the same rows, but have their members \
                 in different properties; declare the same `ids` in both, or give one of them another key"
            );
        }
        if entity == other {
            return write!(
                f,
                "two entities are named `{entity}`, and commit records name an entity by its entity type; rename one of \
                 them, or declare it as a version of the other with `from`"
            );
        }
        write!(
            f,
            "`{entity}.{rows}` and `{other}.{other_rows}` can have rows with the same key or in each other's key ranges; \
             give one of them a table of its own, or a key that begins with a word of its own"
        )
    }
}

/// The origin of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Entity,
    Derived,
    /// Moved under the keys of the entity.
    Archive,
}

/// The key parts of a row kind.
#[derive(Clone, Copy)]
struct Rows<'d> {
    name: &'static str,
    origin: Origin,
    /// `true` if each row names its entity: rows of an index in other partitions.
    is_far: bool,
    in_blobs: bool,
    table: &'d [Part<'d>],
    partition: &'d KeyForm<'static>,
    row: &'d KeyForm<'static>,
}

impl Rows<'_> {
    fn meets(&self, other: &Rows<'_>) -> bool {
        if self.in_blobs || other.in_blobs {
            // A blob name starts with the name of its lookup.
            let is_same = self.in_blobs == other.in_blobs && self.name == other.name;
            return is_same
                && rows_can_meet([self.table, &[], &[]], [other.table, &[], &[]])
                && same_form(self.partition.parts(), other.partition.parts());
        }
        // Two entities read their own rows by `EntityType`, and a typed write does not replace another entity.
        [self, other].iter().any(|rows| rows.origin != Origin::Entity)
            && rows_can_meet(
                [self.table, self.partition.parts(), self.row.parts()],
                [other.table, other.partition.parts(), other.row.parts()],
            )
    }
}

impl Design {
    /// Finds rows of this entity and of another entity that can have the same key. Versions of one entity share their
    /// rows.
    pub fn collision(&'static self, other: &'static Self) -> Option<Collision> {
        self.collision_unless(other, |_, _| false)
    }

    /// Finds rows of this entity and of the entity that it moves from, which can have the same key, as
    /// [`collision`](Self::collision) does. Both may have an index in other partitions with the same name and keys: each
    /// of its rows names the entity that it is derived from. Both may have one archive, because they are one entity.
    pub fn collision_while_moving(&'static self, other: &'static Self) -> Option<Collision> {
        let is_archive = |rows: &Rows<'_>| rows.origin == Origin::Archive;
        self.collision_unless(other, |one, other| {
            is_same_far(one, other) || is_archive(one) && is_archive(other)
        })
    }

    fn collision_unless(
        &'static self,
        other: &'static Self,
        may_meet: impl Fn(&Rows<'_>, &Rows<'_>) -> bool,
    ) -> Option<Collision> {
        if self.is_version_of(other) || other.is_version_of(self) {
            return None;
        }
        let (own_tables, other_tables) = (self.index_tables(), other.index_tables());
        for rows in self.rows(&own_tables) {
            let met = other.rows(&other_tables).into_iter();
            let mut met = met.filter(|met| rows.meets(met) && !self.share(&rows, other, met));
            let met = met.find(|met| !may_meet(&rows, met));
            if let Some(met) = met {
                let (entity, other) = (self.name, other.name);
                return Some(Collision { entity, rows: rows.name, other, other_rows: met.name });
            }
        }
        None
    }

    /// Returns whether the entities of one type are what the other type moved to its archive.
    fn share(&self, rows: &Rows<'_>, other: &Self, met: &Rows<'_>) -> bool {
        let reads = |reader: &Self, writer: &Self| writer.entity_type.is_some_and(|name| reader.reads(name));
        match (rows.origin, met.origin) {
            (Origin::Archive, Origin::Entity) => reads(other, self),
            (Origin::Entity, Origin::Archive) => reads(self, other),
            _ => false,
        }
    }

    /// Returns whether both designs describe the same rows. A type with other keys is another one, also if it has the
    /// same `EntityType`: a list contains only the keys of its members, and does not tell the two apart.
    fn is_version_of(&self, other: &Self) -> bool {
        let is_read = || self.entity_type.is_some_and(|entity_type| other.reads(entity_type));
        self.has_rows_of(other)
            || self.has_keys_of(other) && is_read()
            || self
                .older
                .is_some_and(|older| older.stored_name() == other.stored_name() || older.is_version_of(other))
    }

    /// Returns whether both designs declare the same entity, possibly in another program or a design file: the names
    /// and keys are equal.
    fn has_rows_of(&self, other: &Self) -> bool {
        self.stored_name() == other.stored_name() && self.has_keys_of(other)
    }

    fn has_keys_of(&self, other: &Self) -> bool {
        self.table.eq_ignore_ascii_case(other.table)
            && same_form(self.partition.form.parts(), other.partition.form.parts())
            && same_form(self.row.form.parts(), other.row.form.parts())
    }

    /// Returns whether both designs derive the same rows from the same row.
    pub fn derives_as(&self, other: &Self) -> bool {
        let index = |index: &Index| {
            let keys = (index.name, index.table, index.partition.text, index.row.text);
            (keys, index.unique, index.properties)
        };
        let feed = |feed: &Contribution| (feed.stored_name(), feed.totals);
        self.has_rows_of(other)
            && self.entity_type == other.entity_type
            && self.indexes.iter().map(index).eq(other.indexes.iter().map(index))
            && self.feeds.iter().map(feed).eq(other.feeds.iter().map(feed))
    }

    /// Returns whether `other` is a previous version of this design.
    pub fn is_newer_than(&self, other: &Self) -> bool {
        self.older.is_some_and(|older| older.derives_as(other) || older.is_newer_than(other))
    }

    /// Returns a collision if two designs have the same name, but are neither equal nor versions of each other.
    pub fn name_collision(&self, other: &Self) -> Option<Collision> {
        let is_known = self.derives_as(other) || self.is_newer_than(other) || other.is_newer_than(self);
        let (entity, other_entity) = (self.stored_name(), other.stored_name());
        (entity == other_entity && !is_known).then_some(Collision {
            entity,
            rows: "row",
            other: other_entity,
            other_rows: "row",
        })
    }

    /// Finds lists of two versions of the entity that are in one row with the members in different properties. A write
    /// of one list would remove the other.
    pub fn list_collision(&'static self) -> Option<Collision> {
        let versions = || std::iter::successors(Some(self), |version| version.older);
        let lists = || versions().flat_map(|version| version.indexes).filter(|index| !index.in_blobs());
        let keys = |index: &'static Index| [index.partition.form.parts(), row_of(index).parts()];
        let pairs = lists().flat_map(|one| lists().map(move |other| (one, other)));
        let mut pairs = pairs.filter(|(one, other)| one.table.eq_ignore_ascii_case(other.table));
        let (one, other) = pairs.find(|(one, other)| {
            let are_other_lists = one.ids().zip(other.ids()).is_some_and(|(one, other)| one != other);
            let ([partition, row], [other_partition, other_row]) = (keys(one), keys(other));
            are_other_lists && rows_can_meet([&[], partition, row], [&[], other_partition, other_row])
        })?;
        let entity = self.stored_name();
        Some(Collision { entity, rows: one.name, other: entity, other_rows: other.name })
    }

    /// Returns the parts of the table names: of the entity, then of its indexes, then of its archive.
    fn index_tables(&self) -> Vec<Vec<Part<'static>>> {
        let parts = |name: &'static str| match &self.tables {
            Some(template) if template.text == name => template.form.parts().to_vec(),
            _ => vec![Part::Literal(name)],
        };
        let indexes = self.indexes.iter().map(|index| index.table);
        std::iter::once(self.table).chain(indexes).chain(self.archive).map(parts).collect()
    }

    fn rows<'d>(&'d self, tables: &'d [Vec<Part<'static>>]) -> Vec<Rows<'d>> {
        let mut tables = tables.iter().map(Vec::as_slice);
        let own = |name, origin, table| Rows {
            name,
            origin,
            is_far: false,
            in_blobs: false,
            table,
            partition: &self.partition.form,
            row: &self.row.form,
        };
        let entities = own("row", Origin::Entity, tables.next().unwrap_or_default());
        let archive = self.archive.and_then(|_| tables.next_back());
        let archive = archive.map(|table| own("archive", Origin::Archive, table));
        let derived = self.indexes.iter().zip(tables).map(|(index, table)| Rows {
            name: index.name,
            origin: Origin::Derived,
            is_far: !index.near && index.lookup.is_none(),
            in_blobs: index.in_blobs(),
            table,
            partition: &index.partition.form,
            row: row_of(index),
        });
        std::iter::once(entities).chain(derived).chain(archive).collect()
    }
}

/// Returns the keys of an index, or of the lists of a lookup.
fn row_of(index: &Index) -> &KeyForm<'static> {
    index.lookup.as_ref().map_or(&index.row.form, |lookup| &lookup.list.form)
}

/// Returns whether both are rows of an index in other partitions with the same name and keys.
fn is_same_far(one: &Rows<'_>, other: &Rows<'_>) -> bool {
    one.is_far && other.is_far && one.name == other.name && same_form(one.row.parts(), other.row.parts())
}
