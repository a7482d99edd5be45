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
        row::{decode_with_unread, has_keys},
    },
    design::{Collision, Contribution, Design, Index},
};

/// Returns a filter for rows with an `EntityType` in `types`, or `None` (all rows) if `types` is empty.
pub(crate) fn of_types(types: impl Iterator<Item = &'static str>) -> Option<Filter> {
    types.map(|name| Filter::eq(ENTITY_TYPE, name)).reduce(Filter::or)
}

/// A rule that derives rows: an index or a contribution of a design, with a unique name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// The index with this number.
    Index(usize, &'static Index),
    /// The contribution with this number among the derived rows.
    Contribution(usize, &'static Contribution),
}

impl Rule {
    /// Returns the rule of the derived row with this number.
    pub(crate) fn of(design: &'static Design, number: usize) -> Option<Self> {
        let feed = number.checked_sub(design.indexes.len());
        match design.indexes.get(number) {
            Some(index) => Some(Self::Index(number, index)),
            None => design.feeds.get(feed?).map(|feed| Self::Contribution(number, feed)),
        }
    }

    /// Returns the rule with this name.
    pub(crate) fn named(design: &'static Design, name: &str) -> Option<Self> {
        Self::all(design).find(|rule| rule.name() == name)
    }

    /// Returns all rules of a design.
    pub(crate) fn all(design: &'static Design) -> impl Iterator<Item = Self> {
        let count = design.indexes.len() + design.feeds.len();
        (0..count).filter_map(move |number| Self::of(design, number))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Index(_, index) => index.name,
            Self::Contribution(_, feed) => feed.stored_name(),
        }
    }

    /// Returns whether the rule's rows are in other partitions than the entity.
    pub(crate) fn is_far(self, design: &Design) -> bool {
        match self {
            Self::Index(_, index) => !index.near,
            Self::Contribution(_, feed) => !feed.is_near(design),
        }
    }
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

    /// Returns the address of the entity that an index row belongs to.
    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address>;

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
    pub(crate) design: &'static Design,
    by: &'static dyn Deriving,
}

impl EntityInfo {
    pub(crate) const fn of<E: TableEntity>() -> Self {
        Self { design: E::DESIGN, by: &Typed::<E>(PhantomData) }
    }

    pub(crate) const fn by(design: &'static Design, by: &'static dyn Deriving) -> Self {
        Self { design, by }
    }

    /// Returns whether the design has rows in other partitions, contributions or blobs.
    pub(crate) fn is_followed(self) -> bool {
        is_followed(self.design)
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
        match self.by.derive(source, row) {
            Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
            other => other.map(Some),
        }
    }

    /// Returns the address of the entity that an index row belongs to, from the row's own key and properties.
    pub(crate) fn owner(self, number: usize, row: RowRef<'_>) -> Option<Address> {
        self.by.owner(number, row)
    }

    /// Returns the indexes whose rows are not derived, because the design does not determine them.
    pub(crate) fn skipped(self) -> &'static [&'static Index] {
        self.by.skipped()
    }

    /// Returns whether a row was written by an older version of the type, or under an alternative name.
    pub(crate) fn is_older(self, row: RowRef<'_>) -> bool {
        let written = crate::core::reserved::entity_type(row);
        self.design.entity_type.is_some_and(|current| written.is_some_and(|written| written != current))
    }

    /// Returns whether the keys match the templates of the current or an older version.
    pub(crate) fn has_keys(self, partition_key: &str, row_key: &str) -> bool {
        let keys = Some((partition_key, row_key));
        let mut versions = std::iter::successors(Some(self.design), |design| design.older);
        versions.any(|design| has_keys(AccessPath::Own, design, keys))
    }

    /// Returns whether an address can be that of an entity of the type.
    pub(crate) fn can_be_at(self, address: &Address) -> bool {
        let is_there = self.design.table.eq_ignore_ascii_case(address.table.as_str());
        is_there && self.has_keys(&address.partition_key, &address.row_key)
    }

    /// Returns whether a row has another entity type, according to its `EntityType` property, or else its keys.
    pub(crate) fn is_foreign(self, row: RowRef<'_>) -> bool {
        match crate::core::reserved::entity_type(row).filter(|_| self.design.entity_type.is_some()) {
            Some(written) => !self.design.reads(written),
            None => row
                .partition_key
                .zip(row.row_key)
                .is_some_and(|(partition_key, row_key)| !self.has_keys(partition_key, row_key)),
        }
    }

    /// Returns derived rows, each with its rule.
    pub(crate) fn rules_of(self, rows: &[DerivedRow]) -> impl Iterator<Item = (Rule, &DerivedRow)> {
        rows.iter().filter_map(move |row| Some((Rule::of(self.design, row.number)?, row)))
    }

    /// Returns all rules.
    pub(crate) fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::all(self.design)
    }

    /// Returns the rule with a name.
    pub(crate) fn rule(self, name: &str) -> Option<Rule> {
        Rule::named(self.design, name)
    }
}

/// Derivation by a Rust type.
struct Typed<E>(PhantomData<fn() -> E>);

impl<E: TableEntity> Deriving for Typed<E> {
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let (entity, unread) = decode_with_unread::<E>(source, row)?;
        let (mut properties, _) = entity.contents()?;
        unread.add_to(&mut properties);
        let rows = DerivedRows::of(&entity, &properties)?;
        Ok(match E::older_rows(source, row)? {
            Some(older) => older::correct(E::DESIGN, &rows, &older),
            None => rows,
        })
    }

    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address> {
        crate::core::row::key_of_copy::<E>(number, row)?.address().ok()
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

/// Returns the indexes of an entity type.
pub(crate) fn indexes(entity: Option<EntityInfo>) -> &'static [Index] {
    entity.map_or(&[], |kind| kind.design.indexes)
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
        self.admit(kind.design)?;
        let known = self.namesake(kind.design);
        let replaces = match known {
            None => true,
            Some(known) if std::ptr::eq(known.design, kind.design) => false,
            Some(known) if known.by.is_whole() && kind.by.is_whole() => {
                if let Some(collision) = kind.design.name_collision(known.design) {
                    return Err(Error::Collision(Box::new(collision)));
                }
                kind.design.is_newer_than(known.design)
            }
            Some(_) => kind.by.is_whole(),
        };
        if replaces {
            let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let named = all.entry(kind.design.stored_name()).or_default();
            named.retain(|other| self.are_of_move(other.design, kind.design));
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
        if !self.are_of_move(old.design, new.design) {
            self.moves.write().unwrap_or_else(PoisonError::into_inner).push(pair);
        }
        for kind in [old, new].into_iter().filter(|kind| kind.is_followed()) {
            self.register(kind);
        }
    }

    /// Returns whether the entities of one type move to the keys of the other.
    fn are_of_move(&self, one: &Design, other: &Design) -> bool {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let is_it =
            |pair: &Pair, old, new| is_named_as(pair.old.design, old) && is_named_as(pair.new.design, new);
        moves.iter().any(|pair| is_it(pair, one, other) || is_it(pair, other, one))
    }

    /// Returns the moves of the entities of a type, from it and to it.
    pub(crate) fn moves_of(&self, kind: EntityInfo) -> Vec<Pair> {
        let is_of =
            |pair: &&Pair| [pair.old, pair.new].iter().any(|one| is_named_as(one.design, kind.design));
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
        let is_it =
            |other: &EntityInfo| other.design.reads(written) && !self.are_of_move(kind.design, other.design);
        !kind.design.reads(written) && self.all().iter().any(is_it)
    }

    /// Returns the registered type with the name of a type.
    fn namesake(&self, design: &Design) -> Option<EntityInfo> {
        self.find(design.stored_name(), |kind| {
            std::ptr::eq(kind.design, design) || !self.are_of_move(kind.design, design)
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
            kind.design.tables.is_some() || kind.design.table.eq_ignore_ascii_case(table.as_str())
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
        let has_alias = |kind: &&EntityInfo| kind.design.aliases.contains(&name) && is_such(kind);
        named.or_else(|| known.values().flatten().find(has_alias)).copied()
    }

    /// Returns the designs of all registered types, and of the types that an entity moves from or to.
    pub(crate) fn designs_like(&self, design: &Design) -> Vec<&'static Design> {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let is_same = |one: &&'static Design| one.stored_name() == design.stored_name();
        let of_moves = moves.iter().flat_map(|pair| [pair.old.design, pair.new.design]).filter(is_same);
        of_moves.chain(self.all().into_iter().map(|kind| kind.design)).collect()
    }

    pub(crate) fn all(&self) -> Vec<EntityInfo> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).values().flatten().copied().collect()
    }
}
