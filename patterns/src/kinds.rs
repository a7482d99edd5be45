//! The entities that a program knows, by name: what is read from a commit record names them.

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    sync::{OnceLock, PoisonError, RwLock},
};

use table_store::RowRef;

use crate::{
    Address, EntityKey, Error, Source, TableEntity,
    derived::{DerivedRow, DerivedRows},
    design::{Collision, Design, Feed, Index},
    entity::Writable,
};

/// What rows are derived by: one thing that an entity's design says, by a name that it has alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// An index of this number.
    Index(usize, &'static Index),
    /// A feed of this number among the derived rows.
    Feed(usize, &'static Feed),
}

impl Rule {
    /// The rule that a derived row of this number comes from.
    pub(crate) fn of(design: &'static Design, number: usize) -> Option<Self> {
        let feed = number.checked_sub(design.indexes.len());
        match design.indexes.get(number) {
            Some(index) => Some(Self::Index(number, index)),
            None => design.feeds.get(feed?).map(|feed| Self::Feed(number, feed)),
        }
    }

    /// The rule of this name.
    pub(crate) fn named(design: &'static Design, name: &str) -> Option<Self> {
        Self::all(design).find(|rule| rule.name() == name)
    }

    /// All rules of a design.
    pub(crate) fn all(design: &'static Design) -> impl Iterator<Item = Self> {
        let count = design.indexes.len() + design.feeds.len();
        (0..count).filter_map(move |number| Self::of(design, number))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Index(_, index) => index.name,
            Self::Feed(_, feed) => feed.name,
        }
    }

    /// Whether its rows are in other partitions than the entity, and follow.
    pub(crate) fn is_far(self, design: &Design) -> bool {
        match self {
            Self::Index(_, index) => !index.near,
            Self::Feed(_, feed) => !feed.is_near(design),
        }
    }
}

/// What derives rows of a kind, and leads back from them: a type, or a design that was read while the program runs.
pub(crate) trait Deriving: fmt::Debug + Send + Sync {
    /// The rows that the indexes keep of the entity in a row.
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error>;

    /// Where the entity is that a row of an index is of.
    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address>;

    /// Whether it knows all that is kept of an entity.
    fn is_whole(&self) -> bool;
}

/// An entity without its type: its design, and what its indexes keep of a row.
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

    /// The rows that its indexes keep of the entity in a row; none if the row is of another kind.
    pub(crate) fn derived(self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        Ok(self.entity(source, row)?.unwrap_or_default())
    }

    /// The same, where it matters whether the row is of the kind.
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

    /// Where the entity is that a row of an index is of, by the row's own key and properties.
    pub(crate) fn owner(self, number: usize, row: RowRef<'_>) -> Option<Address> {
        self.by.owner(number, row)
    }

    /// Whether a row was written by an older version of the type, or under another name of it.
    pub(crate) fn is_older(self, row: RowRef<'_>) -> bool {
        let written = crate::row::entity_type(row);
        self.design.entity_type.is_some_and(|current| written.is_some_and(|written| written != current))
    }

    /// Whether keys in its table are those of one of its entities.
    pub(crate) fn has_keys(self, partition_key: &str, row_key: &str) -> bool {
        let fits = |design: &Design| {
            design.partition.form.decode(partition_key).is_ok() && design.row.form.decode(row_key).is_ok()
        };
        std::iter::successors(Some(self.design), |design| design.older).any(fits)
    }

    /// Whether a row is an entity of another kind: its `EntityType` says so, else its keys.
    pub(crate) fn is_foreign(self, row: RowRef<'_>) -> bool {
        match crate::row::entity_type(row).filter(|_| self.design.entity_type.is_some()) {
            Some(written) => !self.design.reads(written),
            None => row
                .partition_key
                .zip(row.row_key)
                .is_some_and(|(partition_key, row_key)| !self.has_keys(partition_key, row_key)),
        }
    }

    /// Derived rows, each with the rule that it comes from.
    pub(crate) fn rules_of(self, rows: &[DerivedRow]) -> impl Iterator<Item = (Rule, &DerivedRow)> {
        rows.iter().filter_map(move |row| Some((Rule::of(self.design, row.number)?, row)))
    }

    /// All its rules.
    pub(crate) fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::all(self.design)
    }

    /// The rule of a name.
    pub(crate) fn rule(self, name: &str) -> Option<Rule> {
        Rule::named(self.design, name)
    }
}

/// By a type.
struct Typed<E>(PhantomData<fn() -> E>);

impl<E: TableEntity> Deriving for Typed<E> {
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let entity = E::decode(source, row)?;
        let properties = Writable::properties(&entity)?;
        DerivedRows::of(&entity, &properties)
    }

    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address> {
        crate::row::key_of_copy::<E>(number, row)?.address().ok()
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

/// The known ones.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    known: RwLock<BTreeMap<&'static str, Kind>>,
    /// Their designs, and those of other entities with derived rows: no two of them collide.
    designs: RwLock<Vec<&'static Design>>,
    /// The first that could not be registered where no error can be returned.
    refused: OnceLock<Collision>,
}

impl Kinds {
    /// Admits an entity with derived rows, unless these collide with those of another one.
    pub(crate) fn admit(&self, design: &'static Design) -> Result<(), Error> {
        let is_known = |known: &&'static Design| std::ptr::eq(*known, design);
        if self.designs.read().unwrap_or_else(PoisonError::into_inner).iter().any(is_known) {
            return Ok(());
        }
        let mut designs = self.designs.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(collision) = designs.iter().find_map(|known| design.collision(known)) {
            return Err(Error::Collision(Box::new(collision)));
        }
        // Perhaps another copy of a known one: the compiler may have several of one constant.
        designs.push(design);
        Ok(())
    }

    /// Registers a kind under its name. One that knows all that is kept of an entity replaces one that does not, and a
    /// newer version an older one of the same name.
    pub(crate) fn learn(&self, kind: Kind) -> Result<(), Error> {
        self.admit(kind.design)?;
        let name = kind.design.name;
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

    /// The same where no error can be returned: it is one of everything that works for all kinds.
    pub(crate) fn register(&self, kind: Kind) {
        if let Err(Error::Collision(collision)) = self.learn(kind) {
            self.refused.get_or_init(|| *collision);
        }
    }

    /// The error of a kind that could not be registered.
    pub(crate) fn refused(&self) -> Option<Error> {
        self.refused.get().map(|collision| Error::Collision(Box::new(*collision)))
    }

    pub(crate) fn get(&self, name: &str) -> Option<Kind> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.refused.get().is_none() && self.known.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    pub(crate) fn all(&self) -> Vec<Kind> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).values().copied().collect()
    }
}
