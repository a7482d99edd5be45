//! The entities that a program knows, by name: what is read from a commit record names them.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use table_store::RowRef;

use crate::{
    Address, EntityKey, Error, Source, TableEntity,
    derived::{DerivedRow, DerivedRows},
    design::{Design, Index},
    entity::Writable,
};

/// An entity without its type: its design, and what its indexes keep of a row.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Kind {
    pub(crate) design: &'static Design,
    derive: fn(Source<'_>, RowRef<'_>) -> Result<Vec<DerivedRow>, Error>,
    owner: fn(usize, RowRef<'_>) -> Option<Address>,
}

impl Kind {
    pub(crate) const fn of<E: TableEntity>() -> Self {
        Self { design: E::DESIGN, derive: derive::<E>, owner: owner::<E> }
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
        match (self.derive)(source, row) {
            Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
            other => other.map(Some),
        }
    }

    /// Where the entity is that a row of an index is of, by the row's own key and properties.
    pub(crate) fn owner(self, number: usize, row: RowRef<'_>) -> Option<Address> {
        (self.owner)(number, row)
    }

    /// Whether a row was written by an older version of the type, or under another name of it.
    pub(crate) fn is_older(self, row: RowRef<'_>) -> bool {
        let written = crate::row::entity_type(row);
        self.design.entity_type.is_some_and(|current| written.is_some_and(|written| written != current))
    }

    /// The number of an index, and the index.
    pub(crate) fn index(self, name: &str) -> Option<(usize, &'static Index)> {
        self.design.index(name)
    }
}

fn derive<E: TableEntity>(source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
    let entity = E::decode(source, row)?;
    let properties = Writable::properties(&entity)?;
    DerivedRows::of(&entity, &properties)
}

fn owner<E: TableEntity>(number: usize, row: RowRef<'_>) -> Option<Address> {
    crate::row::key_of_copy::<E>(number, row)?.address().ok()
}

/// The known ones.
#[derive(Debug, Default)]
pub(crate) struct Kinds(RwLock<BTreeMap<&'static str, Kind>>);

impl Kinds {
    pub(crate) fn learn(&self, kind: Kind) {
        let name = kind.design.name;
        let knows = self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(name);
        if !knows {
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name, kind);
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<Kind> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    pub(crate) fn all(&self) -> Vec<Kind> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().copied().collect()
    }
}
