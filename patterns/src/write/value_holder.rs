//! The entity that decides about a row of a unique index in other partitions.
//!
//! While entities move to other keys, the old and the new row of an entity decide together: the row of the index can name
//! either address, and the value belongs to the entity regardless of the row that currently contains it. A move of the
//! entity therefore neither releases nor claims its values.
//!
//! The result was true at an instant after the row of the index was read. An entity that acquires the value later writes
//! that row first, so that a write conditional on the version that was read fails.

use table_model::RowRef;

use super::primary::Primary;
use crate::{
    Address, Error, RegistryError, Tables,
    core::{
        cross_partition_row::is_left_by_move,
        derived_row::DerivedRow,
        entity_types::{EntityInfo, Pair},
        marker::{Marker, marker_of},
        rule::Rule,
    },
    design::Index,
};

impl Primary {
    /// Reads the entity that decides about a row of a rule. `address` is one of its addresses.
    pub(crate) async fn of_row(
        tables: &Tables,
        (kind, rule): (EntityInfo, Rule),
        address: Address,
    ) -> Result<Self, Error> {
        if !rule.index().is_some_and(Index::is_reserved) {
            return Self::read(tables, kind, address).await;
        }
        Moved { tables, kind, pairs: tables.kinds().moves_of(kind) }.find(address).await
    }

    /// Reads the entity that may require a row, as [`of_row`](Self::of_row) and [`read_owner`](Self::read_owner) do.
    pub(crate) async fn owner_of_row(
        tables: &Tables,
        by: (EntityInfo, Rule),
        address: Address,
    ) -> Result<Self, Error> {
        let found = Self::of_row(tables, by, address.clone()).await;
        Self::unless_newer(found, address)
    }

    /// Returns the entity that decides about a row, where the entity that a commit record names was read.
    pub(crate) async fn for_row(
        &self,
        tables: &Tables,
        by: (EntityInfo, Rule),
    ) -> Result<Option<Self>, Error> {
        let is_reserved = by.1.index().is_some_and(Index::is_reserved);
        if !is_reserved || !self.is_left && tables.kinds().moves_of(by.0).is_empty() {
            return Ok(None);
        }
        Self::of_row(tables, by, self.address.clone()).await.map(Some)
    }
}

/// An entity of a type that may move.
struct Moved<'t> {
    tables: &'t Tables,
    /// The type whose rules the rows of the result have.
    kind: EntityInfo,
    pairs: Vec<Pair>,
}

impl Moved<'_> {
    async fn find(&self, address: Address) -> Result<Primary, Error> {
        let rows = self.tables.read(&address, None).await?;
        let row = rows.get(0);
        if let Some(marker) = row.and_then(marker_of) {
            let pair = self.to(&marker.to).ok_or_else(|| self.unknown())?;
            return self.after_marker(pair, address, marker).await;
        }
        let is_left = row.is_some_and(is_left_by_move);
        if let Some(row) = row.filter(|_| !is_left) {
            let other = self.to(&address).and_then(|pair| pair.by.old_of(&address));
            let kind = self.kind_at(&address);
            // Two types of a move can have one `EntityType`. Without the move, only one of them is known.
            let is_known = kind.can_be_at(&address);
            let found = self.primary(kind, address, row)?;
            return Ok(Primary { is_foreign: found.is_foreign || !is_known, other, ..found });
        }
        let pair = match self.to(&address) {
            Some(pair) => pair,
            None if is_left => return Err(self.unknown()),
            None => return Ok(Primary::nothing(address)),
        };
        // Not at its new key, so it is at its old key, or was moved since.
        let Some(old) = pair.by.old_of(&address) else { return Ok(Primary::nothing(address)) };
        let rows = self.tables.read(&old, None).await?;
        let found = match rows.get(0).map(|row| (marker_of(row), row)) {
            Some((Some(marker), _)) if marker.to == address => self.after_marker(pair, old, marker).await?,
            Some((None, row)) => Primary { other: Some(address), ..self.primary(pair.old, old, row)? },
            _ => Primary { other: Some(old), ..Primary::nothing(address) },
        };
        Ok(found)
    }

    /// Reads the new key, to which a marker refers.
    async fn after_marker(&self, pair: Pair, old: Address, marker: Marker) -> Result<Primary, Error> {
        let Marker { to, replaced } = marker;
        let rows = self.tables.read(&to, None).await?;
        let found = match rows.get(0) {
            None => Primary::nothing(to),
            Some(row) if !is_left_by_move(row) => self.primary(pair.new, to, row)?,
            Some(row) => match pair.by.copied(self.tables.source(&to.table), row)? {
                Some((shown, derived)) if replaced.as_ref() == Some(&shown) => {
                    let derived = self.by_own_rules(pair.new, derived);
                    Primary { etag: Some(row.etag.clone()), derived, ..Primary::nothing(to) }
                }
                _ => Primary::nothing(to),
            },
        };
        Ok(Primary { other: Some(old), ..found })
    }

    fn primary(&self, kind: EntityInfo, address: Address, row: RowRef<'_>) -> Result<Primary, Error> {
        let mut found = Primary::of(self.tables, kind, address, row)?;
        found.derived = self.by_own_rules(kind, found.derived);
        Ok(found)
    }

    /// Returns rows of a type with the rules of the same names of `kind`.
    fn by_own_rules(&self, kind: EntityInfo, mut rows: Vec<DerivedRow>) -> Vec<DerivedRow> {
        if kind.newest().derives_as(self.kind.newest()) {
            return rows;
        }
        rows.retain_mut(|row| {
            let index = row.rule.index().map(|index| index.name);
            let rule = index.and_then(|name| {
                let mut rules = self.kind.rules().filter(|rule| rule.index().is_some());
                rules.find(|rule| rule.name() == name && rule.stores_like(row.rule))
            });
            row.rule = rule.unwrap_or(row.rule);
            rule.is_some()
        });
        rows
    }

    /// Returns the move to a new address.
    fn to(&self, address: &Address) -> Option<Pair> {
        self.pairs.iter().find(|pair| pair.new.can_be_at(address)).copied()
    }

    fn kind_at(&self, address: &Address) -> EntityInfo {
        if self.kind.can_be_at(address) {
            return self.kind;
        }
        self.pairs.iter().find_map(|pair| pair.kind_at(address)).unwrap_or(self.kind)
    }

    fn unknown(&self) -> Error {
        RegistryError::UnknownMove { entity: self.kind.newest().name }.into()
    }
}
