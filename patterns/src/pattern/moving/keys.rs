//! The old and the new address of an entity.

use super::MovedFrom;
use crate::{
    Address, EntityKey, Error, RegistryError, TableEntity,
    design::{Design, Index},
};

/// The two addresses of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) old: Address,
    pub(crate) new: Address,
}

impl Keys {
    /// Returns the addresses for a new key.
    pub(crate) fn of_key<E: MovedFrom>(key: &E::Key) -> Result<Self, Error> {
        let old = <E::Old as TableEntity>::Key::from(key.clone());
        Ok(Self { old: old.address()?, new: key.address()? })
    }

    /// Returns the addresses of an entity. Fails if its conversion has another old key.
    pub(crate) fn of<E: MovedFrom>(entity: &E) -> Result<Self, Error> {
        let keys = Self::of_key::<E>(&entity.key())?;
        let converted = E::Old::from(entity.clone()).address()?;
        keys.agrees(converted)
    }

    /// Returns the addresses of an entity at its old key. Fails if its new key belongs to another old key.
    pub(crate) fn of_old<E: MovedFrom>(entity: &E::Old) -> Result<Self, Error> {
        let keys = Self::of_key::<E>(&E::from(entity.clone()).key())?;
        keys.agrees(entity.address()?)
    }

    fn agrees(self, old: Address) -> Result<Self, Error> {
        if self.old == old {
            return Ok(self);
        }
        let (from, to) = (Box::new(old), Box::new(self.new));
        Err(RegistryError::NotReversible { from, to }.into())
    }

    /// Returns whether the entity keeps its key.
    pub(crate) fn are_equal(&self) -> bool {
        self.old == self.new
    }

    /// Returns whether one transaction can write both rows.
    pub(crate) fn in_one_partition(&self) -> bool {
        self.old.same_partition(&self.new)
    }
}

/// Fails to compile if a type has a pattern that a move does not support.
pub(super) const fn assert_supported<E: MovedFrom>() {
    assert_movable(<E::Old as TableEntity>::DESIGN);
    assert_movable(E::DESIGN);
    assert!(
        <E::Old as TableEntity>::DESIGN.changes.is_some() == E::DESIGN.changes.is_some(),
        "both types of a move require `changes`, or neither of them"
    );
    assert_same_values(<E::Old as TableEntity>::DESIGN.indexes, E::DESIGN.indexes);
    assert_same_values(E::DESIGN.indexes, <E::Old as TableEntity>::DESIGN.indexes);
    let (old, new) = (<E::Old as TableEntity>::DESIGN, E::DESIGN);
    assert!(
        !is_same(old.table, new.table) || !is_same(old.stored_name(), new.stored_name()),
        "two types in one table require different `entity_type`s"
    );
}

/// Returns whether two names are equal, regardless of the case of ASCII letters, as table names are.
const fn is_same(a: &str, b: &str) -> bool {
    a.as_bytes().eq_ignore_ascii_case(b.as_bytes())
}

const fn assert_movable(design: &'static Design) {
    assert!(design.entity_type.is_some(), "a moved entity requires `entity_type = \"..\"` on both types");
    assert!(
        design.tables.is_none(),
        "an entity with a table for each period cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert!(
        design.wide.is_none(),
        "a wide entity cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert!(
        design.blobs.is_empty(),
        "an entity with values in blobs cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert!(
        design.encrypted.is_empty(),
        "an entity with encrypted fields cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert!(
        design.fed.is_empty(),
        "an entity with aggregates or copied fields cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert!(
        design.feeds.is_empty(),
        "an entity that contributes to other entities cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
    );
    assert_indexes(design.indexes);
}

const fn assert_indexes(indexes: &'static [Index]) {
    if let [index, others @ ..] = indexes {
        assert!(
            index.lookup.is_none(),
            "an entity with a lookup cannot be moved while programs write it; end its writers and insert its entities again, as the guide describes in \"Moves with stopped writers\""
        );
        assert_indexes(others);
    }
}

/// Fails to compile if a unique index in other partitions is not declared in `others` with the same rows.
const fn assert_same_values(indexes: &'static [Index], others: &'static [Index]) {
    if let [index, rest @ ..] = indexes {
        assert!(
            !index.is_reserved() || has_rows_of(index, others),
            "a unique index in other partitions must be declared on both types, with the same name, table and keys"
        );
        assert_same_values(rest, others);
    }
}

const fn has_rows_of(index: &Index, indexes: &'static [Index]) -> bool {
    match indexes {
        [] => false,
        [other, rest @ ..] => {
            let is_it = other.is_reserved()
                && is_same(index.name, other.name)
                && is_same(index.table, other.table)
                && is_same(index.partition.text, other.partition.text)
                && is_same(index.row.text, other.row.text);
            is_it || has_rows_of(index, rest)
        }
    }
}
