//! Registered entity types, by name. Commit records refer to entity types by name.

mod pair;

pub(crate) use pair::{Conversion, Pair};

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    sync::{OnceLock, PoisonError, RwLock},
};

use table_model::{Filter, RowRef, TableName};

use crate::{
    AccessPath, Address, EntityKey, Error, Source, TableEntity,
    core::{
        derived::DerivedRows,
        derived_row::DerivedRow,
        entity::Writable,
        older,
        reserved::ENTITY_TYPE,
        row::{decode_with_unread, has_keys, is_of_other_type},
        rule::Rule,
        table::table_of,
        versions::{Versions, is_same_version},
    },
    design::{Collision, Design, Index},
};

/// Returns a filter for rows with an `EntityType` in `types`, or `None` (all rows) if `types` is empty.
pub(crate) fn of_types(types: impl Iterator<Item = &'static str>) -> Option<Filter> {
    types.map(|name| Filter::eq(ENTITY_TYPE, name)).reduce(Filter::or)
}

/// Returns whether a design has rows in other partitions, contributions or blobs, so that a write can leave work.
pub(crate) fn is_followed(design: &'static Design) -> bool {
    design.indexes.iter().any(|index| !index.near) || !design.feeds.is_empty() || design.has_blobs()
}

/// Derives the rows of an entity type, and finds the entities of derived rows. Implemented for a type, and for a design
/// that was loaded at run time.
pub(crate) trait Deriving: fmt::Debug + Send + Sync {
    /// Returns the rows derived from the entity in a row.
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error>;

    /// Returns the address of the entity that a row of the index with this number belongs to.
    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address>;

    /// Returns the previous version of the type.
    fn older(&self) -> Option<EntityInfo> {
        None
    }

    /// Returns whether all derived rows of an entity are supported.
    fn is_whole(&self) -> bool;

    /// Returns the indexes whose rows are not derived, because the design does not determine them.
    fn skipped(&self) -> &[&'static Index] {
        &[]
    }
}

/// An entity type without its Rust type: its design, and the derivation of its rows.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct EntityInfo {
    versions: Versions,
    by: &'static dyn Deriving,
}

impl EntityInfo {
    pub(crate) const fn of<E: TableEntity>() -> Self {
        Self { versions: Versions::new(E::DESIGN), by: &Typed::<E>(PhantomData) }
    }

    pub(crate) const fn by(design: &'static Design, by: &'static dyn Deriving) -> Self {
        Self { versions: Versions::new(design), by }
    }

    /// Returns the designs that rows of the type can have.
    pub(crate) const fn versions(self) -> Versions {
        self.versions
    }

    /// Returns the design that a program writes.
    pub(crate) const fn newest(self) -> &'static Design {
        self.versions.newest()
    }

    /// Returns the name in Rust.
    pub(crate) const fn name(self) -> &'static str {
        self.newest().name
    }

    /// Returns the name in commit records, contributions and the registry, which all versions have.
    pub(crate) const fn stored_name(self) -> &'static str {
        self.newest().stored_name()
    }

    /// Returns the table of the entities, in all versions.
    pub(crate) fn table(self) -> Result<TableName, Error> {
        table_of(self.newest())
    }

    /// Returns whether the entities have a table for each period.
    pub(crate) const fn is_per_period(self) -> bool {
        self.newest().tables.is_some()
    }

    /// Returns whether a row with this `EntityType` is read as the type.
    pub(crate) fn reads(self, entity_type: &str) -> bool {
        self.newest().reads(entity_type)
    }

    /// Returns whether the `EntityType` of a row names another entity type. A newer version is not another type.
    pub(crate) fn is_of_other_type(self, row: RowRef<'_>) -> bool {
        is_of_other_type(self.newest(), row)
    }

    /// Returns whether a version of the type has rows in other partitions, contributions or blobs.
    pub(crate) fn is_followed(self) -> bool {
        self.versions.any(is_followed)
    }

    /// Returns the type as each of its versions declares it, the newest first.
    fn all(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |version| version.by.older())
    }

    /// Returns the type as a version declares it.
    fn version(self, design: &'static Design) -> Self {
        let place = self.versions.all().position(|version| is_same_version(version, design));
        place.and_then(|place| self.all().nth(place)).unwrap_or(self)
    }

    /// Returns the rows derived from the entity in a row. Empty if the row has another entity type.
    pub(crate) fn derived(self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        Ok(self.entity(source, row)?.unwrap_or_default())
    }

    /// Returns the rows derived from the entity in a row, or `None` if the row has another entity type.
    pub(crate) fn entity(
        self,
        source: Source<'_>,
        row: RowRef<'_>,
    ) -> Result<Option<Vec<DerivedRow>>, Error> {
        match self.rows(source, row) {
            Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
            other => other.map(Some),
        }
    }

    /// Returns the rows that an entity requires: those of the version that wrote it, and those of indexes that only the
    /// newest version has, because jobs add them while rows of older versions remain.
    pub(crate) fn rows(self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let (newest, writer) = (self.by.derive(source, row)?, self.versions.of(row));
        if std::ptr::eq(writer, self.newest()) {
            return Ok(newest);
        }
        // An index row of an index that the writer lacks does not show what the writer derived.
        let Some(path) = source.path.in_version(self.newest(), writer) else { return Ok(newest) };
        let own = self.version(writer).by.derive(Source { path, ..source }, row)?;
        Ok(older::with_added(own, newest, writer))
    }

    /// Returns the rows that an entity can have: those that it requires, and those of indexes that a version between the
    /// one that wrote it and the newest one declares. Jobs of that version may have added them.
    pub(crate) fn possible_rows(self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let (mut rows, writer) = (self.rows(source, row)?, self.versions.of(row));
        let is_newer = |version: &Self| !is_same_version(version.newest(), writer);
        for version in self.all().take_while(is_newer).skip(1) {
            if let Some(path) = source.path.in_version(self.newest(), version.newest()) {
                rows = older::with_added(rows, version.by.derive(Source { path, ..source }, row)?, writer);
            }
        }
        Ok(rows)
    }

    /// Returns the address of the entity that an index row belongs to, from the row's own key and properties.
    pub(crate) fn owner(self, rule: Rule, row: RowRef<'_>) -> Option<Address> {
        let (number, _) = rule.index().and_then(|index| rule.design().index(index.name))?;
        self.version(rule.design()).by.owner(number, row)
    }

    /// Returns the indexes whose rows are not derived, because the design does not determine them.
    pub(crate) fn skipped(self) -> &'static [&'static Index] {
        self.by.skipped()
    }

    /// Returns whether a row was written by an older version of the type, or under an alternative name.
    pub(crate) fn is_older(self, row: RowRef<'_>) -> bool {
        let written = crate::core::reserved::entity_type(row);
        self.newest().entity_type.is_some_and(|current| written.is_some_and(|written| written != current))
    }

    /// Returns whether the keys match the templates of the current or an older version.
    pub(crate) fn has_keys(self, partition_key: &str, row_key: &str) -> bool {
        let keys = Some((partition_key, row_key));
        self.versions.any(|design| has_keys(AccessPath::Own, design, keys))
    }

    /// Returns whether an address can be that of an entity of the type.
    pub(crate) fn can_be_at(self, address: &Address) -> bool {
        let is_there = self.newest().table.eq_ignore_ascii_case(address.table.as_str());
        is_there && self.has_keys(&address.partition_key, &address.row_key)
    }

    /// Returns whether a row has another entity type, according to its `EntityType` property, or else its keys.
    pub(crate) fn is_foreign(self, row: RowRef<'_>) -> bool {
        match crate::core::reserved::entity_type(row).filter(|_| self.newest().entity_type.is_some()) {
            Some(written) => !self.newest().reads(written),
            None => row
                .partition_key
                .zip(row.row_key)
                .is_some_and(|(partition_key, row_key)| !self.has_keys(partition_key, row_key)),
        }
    }

    /// Returns the rules of all versions, those of the newest version first.
    pub(crate) fn rules(self) -> impl Iterator<Item = Rule> {
        self.versions.all().flat_map(Rule::all)
    }

    /// Returns the rules with a name whose rows are in other partitions, one for each form in which versions of the type
    /// store them. A commit record names such rules.
    pub(crate) fn rules_named(self, name: &str) -> Vec<Rule> {
        let mut named: Vec<Rule> = Vec::new();
        for rule in self.rules().filter(|rule| rule.is_far() && rule.name() == name) {
            if !named.iter().any(|known| known.is_version_of(rule)) {
                named.push(rule);
            }
        }
        named
    }
}

/// Derivation by a Rust type.
struct Typed<E>(PhantomData<fn() -> E>);

impl<E: TableEntity> Deriving for Typed<E> {
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let (entity, unread) = decode_with_unread::<E>(source, row)?;
        let (mut properties, _) = entity.contents()?;
        unread.add_to(&mut properties);
        DerivedRows::of(&entity, &properties)
    }

    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address> {
        crate::core::row::key_of_copy::<E>(number, row)?.address().ok()
    }

    fn older(&self) -> Option<EntityInfo> {
        E::older_version()
    }

    fn is_whole(&self) -> bool {
        true
    }
}

impl<E: TableEntity> fmt::Debug for Typed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(E::DESIGN.name)
    }
}

/// Returns whether two designs have the same name and table.
fn is_named_as(one: &Design, other: &Design) -> bool {
    one.stored_name() == other.stored_name() && one.table.eq_ignore_ascii_case(other.table)
}

/// The registered entity types.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// By name. Two types have one name only while entities move from one to the other.
    known: RwLock<BTreeMap<&'static str, Vec<EntityInfo>>>,
    /// Designs of the registered entity types and of other entity types with derived rows. No two of them collide.
    designs: RwLock<Vec<&'static Design>>,
    /// Types whose entities move to other keys, each with the type that they move to.
    moves: RwLock<Vec<Pair>>,
    /// First collision of a registration that could not return an error.
    refused: OnceLock<Collision>,
}

impl Kinds {
    /// Accepts an entity type with derived rows, unless its rows collide with the rows of another type.
    pub(crate) fn admit(&self, design: &'static Design) -> Result<(), Error> {
        let is_known = |known: &&'static Design| std::ptr::eq(*known, design);
        if self.designs.read().unwrap_or_else(PoisonError::into_inner).iter().any(is_known) {
            return Ok(());
        }
        if let Some(collision) = design.list_collision() {
            return Err(Error::Collision(Box::new(collision)));
        }
        let mut designs = self.designs.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(collision) = designs.iter().find_map(|known| self.collision(design, known)) {
            return Err(Error::Collision(Box::new(collision)));
        }
        // The same design may be added twice, because the compiler may create several copies of one constant.
        designs.push(design);
        Ok(())
    }

    /// Registers an entity type under its name. A newer version replaces an older version with the same name. A type
    /// that supports all derived rows replaces a type that does not.
    pub(crate) fn learn(&self, kind: EntityInfo) -> Result<(), Error> {
        self.admit(kind.newest())?;
        let known = self.namesake(kind.newest());
        let replaces = match known {
            None => true,
            Some(known) if std::ptr::eq(known.newest(), kind.newest()) => false,
            Some(known) if known.by.is_whole() && kind.by.is_whole() => {
                if let Some(collision) = kind.newest().name_collision(known.newest()) {
                    return Err(Error::Collision(Box::new(collision)));
                }
                kind.newest().is_newer_than(known.newest())
            }
            Some(_) => kind.by.is_whole(),
        };
        if replaces {
            let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let named = all.entry(kind.newest().stored_name()).or_default();
            named.retain(|other| self.are_of_move(other.newest(), kind.newest()));
            named.push(kind);
        }
        Ok(())
    }

    /// Registers two types of which the entities of one move to the keys of the other. They can have the same name, and
    /// the same rows in an index in other partitions.
    pub(crate) fn learn_move(&self, pair: Pair) {
        let (old, new) = (pair.old, pair.new);
        if !old.is_followed() && !new.is_followed() {
            return;
        }
        if !self.are_of_move(old.newest(), new.newest()) {
            self.moves.write().unwrap_or_else(PoisonError::into_inner).push(pair);
        }
        for kind in [old, new].into_iter().filter(|kind| kind.is_followed()) {
            self.register(kind);
        }
    }

    /// Returns whether the entities of one type move to the keys of the other.
    fn are_of_move(&self, one: &Design, other: &Design) -> bool {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let is_it = |pair: &Pair, old, new| {
            is_named_as(pair.old.newest(), old) && is_named_as(pair.new.newest(), new)
        };
        moves.iter().any(|pair| is_it(pair, one, other) || is_it(pair, other, one))
    }

    /// Returns the moves of the entities of a type, from it and to it.
    pub(crate) fn moves_of(&self, kind: EntityInfo) -> Vec<Pair> {
        let is_of =
            |pair: &&Pair| [pair.old, pair.new].iter().any(|one| is_named_as(one.newest(), kind.newest()));
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        moves.iter().filter(is_of).copied().collect()
    }

    fn collision(&self, one: &'static Design, other: &'static Design) -> Option<Collision> {
        let collision = one.collision(other)?;
        if self.are_of_move(one, other) { one.collision_while_moving(other) } else { Some(collision) }
    }

    /// Returns whether a row has the `EntityType` of another registered type, whose derived rows cannot be those of
    /// `kind`. The two types of a move share derived rows.
    pub(crate) fn knows_other(&self, kind: EntityInfo, row: RowRef<'_>) -> bool {
        let Some(written) = crate::core::reserved::entity_type(row) else { return false };
        let is_it = |other: &EntityInfo| {
            other.newest().reads(written) && !self.are_of_move(kind.newest(), other.newest())
        };
        !kind.newest().reads(written) && self.all().iter().any(is_it)
    }

    /// Returns the registered type with the name of a type.
    fn namesake(&self, design: &Design) -> Option<EntityInfo> {
        self.find(design.stored_name(), |kind| {
            std::ptr::eq(kind.newest(), design) || !self.are_of_move(kind.newest(), design)
        })
    }

    /// Registers an entity type where no error can be returned. The error is returned by all operations that apply to
    /// all registered types.
    pub(crate) fn register(&self, kind: EntityInfo) {
        if let Err(Error::Collision(collision)) = self.learn(kind) {
            self.refused.get_or_init(|| *collision);
        }
    }

    /// Returns the error of a failed registration.
    pub(crate) fn refused(&self) -> Option<Error> {
        self.refused.get().map(|collision| Error::Collision(Box::new(*collision)))
    }

    /// Returns the type with this name whose entities are in a table.
    pub(crate) fn get(&self, name: &str, table: &TableName) -> Option<EntityInfo> {
        let is_there = |kind: &EntityInfo| {
            kind.newest().tables.is_some() || kind.newest().table.eq_ignore_ascii_case(table.as_str())
        };
        self.find(name, is_there)
    }

    /// Returns a type with this name, for a row that another table can contain too: an archived entity keeps its blobs.
    pub(crate) fn named(&self, name: &str) -> Option<EntityInfo> {
        self.find(name, |_| true)
    }

    fn find(&self, name: &str, is_such: impl Fn(&EntityInfo) -> bool) -> Option<EntityInfo> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let named = known.get(name).and_then(|named| named.iter().find(|kind| is_such(kind)));
        // Stored rows may contain a previous name of the type.
        let has_alias = |kind: &&EntityInfo| kind.newest().aliases.contains(&name) && is_such(kind);
        named.or_else(|| known.values().flatten().find(has_alias)).copied()
    }

    /// Returns the designs of all registered types, and of the types that an entity moves from or to.
    pub(crate) fn designs_like(&self, design: &Design) -> Vec<&'static Design> {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let is_same = |one: &&'static Design| one.stored_name() == design.stored_name();
        let of_moves = moves.iter().flat_map(|pair| [pair.old.newest(), pair.new.newest()]).filter(is_same);
        of_moves.chain(self.all().into_iter().map(EntityInfo::newest)).collect()
    }

    pub(crate) fn all(&self) -> Vec<EntityInfo> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).values().flatten().copied().collect()
    }
}
