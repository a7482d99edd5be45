//! Registered entity types, by name. Commit records refer to entity types by name.

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    sync::{OnceLock, PoisonError, RwLock},
};

use table_model::RowRef;

use crate::{
    AccessPath, Address, EntityKey, Error, Source, TableEntity,
    core::{
        derived::DerivedRows,
        derived_row::DerivedRow,
        entity::Writable,
        older,
        row::{decode_with_unread, has_keys},
    },
    design::{Collision, Contribution, Design, Index},
};

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
}

/// An entity type without its Rust type: its design, and the derivation of its rows.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Kind {
    pub(crate) design: &'static Design,
    by: &'static dyn Deriving,
}

impl Kind {
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

/// Returns the indexes of an entity type.
pub(crate) fn indexes(entity: Option<Kind>) -> &'static [Index] {
    entity.map_or(&[], |kind| kind.design.indexes)
}

/// The registered entity types.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    known: RwLock<BTreeMap<&'static str, Kind>>,
    /// Designs of the registered entity types and of other entity types with derived rows. No two of them collide.
    designs: RwLock<Vec<&'static Design>>,
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
        if let Some(collision) = designs.iter().find_map(|known| design.collision(known)) {
            return Err(Error::Collision(Box::new(collision)));
        }
        // The same design may be added twice, because the compiler may create several copies of one constant.
        designs.push(design);
        Ok(())
    }

    /// Registers an entity type under its name. A newer version replaces an older version with the same name. A type
    /// that supports all derived rows replaces a type that does not.
    pub(crate) fn learn(&self, kind: Kind) -> Result<(), Error> {
        self.admit(kind.design)?;
        let name = kind.design.stored_name();
        let replaces = match self.get(name) {
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
            self.known.write().unwrap_or_else(PoisonError::into_inner).insert(name, kind);
        }
        Ok(())
    }

    /// Registers an entity type where no error can be returned. The error is returned by all operations that apply to
    /// all registered types.
    pub(crate) fn register(&self, kind: Kind) {
        if let Err(Error::Collision(collision)) = self.learn(kind) {
            self.refused.get_or_init(|| *collision);
        }
    }

    /// Returns the error of a failed registration.
    pub(crate) fn refused(&self) -> Option<Error> {
        self.refused.get().map(|collision| Error::Collision(Box::new(*collision)))
    }

    pub(crate) fn get(&self, name: &str) -> Option<Kind> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        // Stored rows may contain a previous name of the type.
        known.get(name).or_else(|| known.values().find(|kind| kind.design.aliases.contains(&name))).copied()
    }

    pub(crate) fn all(&self) -> Vec<Kind> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).values().copied().collect()
    }
}
