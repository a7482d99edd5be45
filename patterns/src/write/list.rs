//! Memberships in lists: the changes that a write makes to lookup lists stored in one row each.

use crate::{Address, derived::DerivedRow, design::Index};

/// Maximum size of the operations for one change, in bytes: the list row is full, and the member gets a separate row.
pub(super) const MOST_BYTES: usize = 40 * 1024;

/// Membership of an entity in a list.
#[derive(Clone, Debug)]
pub(crate) struct Membership {
    pub(crate) index: &'static Index,
    /// Address of the list row.
    pub(crate) list: Address,
    /// RowKey of the entity.
    pub(crate) id: String,
    /// Row of the member, used if the list row is full.
    pub(crate) row: DerivedRow,
}

/// A change of a list.
#[derive(Clone, Debug)]
pub(crate) enum ListChange {
    /// Adds the entity.
    Add(Membership),
    /// Removes the entity.
    Remove(Membership),
}

impl Membership {
    /// Separates the memberships in lists from the other rows of an entity. Returns the other rows and the memberships.
    pub(super) fn take(
        indexes: &'static [Index],
        entity: &Address,
        rows: Vec<DerivedRow>,
    ) -> (Vec<DerivedRow>, Vec<Self>) {
        let (mut others, mut lists) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            match Self::of(indexes, entity, &row) {
                Some(member) => lists.push(member),
                None => others.push(row),
            }
        }
        (others, lists)
    }

    pub(crate) fn of(indexes: &'static [Index], entity: &Address, row: &DerivedRow) -> Option<Self> {
        let index = indexes.get(row.number).filter(|index| index.near && index.ids().is_some())?;
        let id = entity.row_key.clone();
        let list = row.address.row_key.strip_suffix(id.as_str())?.strip_suffix('!')?;
        let list = Address { row_key: list.to_owned(), ..row.address.clone() };
        Some(Self { index, list, id, row: row.clone() })
    }

    fn is_same(&self, other: &Self) -> bool {
        self.row.is_at(&other.row)
    }
}

impl ListChange {
    /// Returns the changes from the old memberships to the new memberships.
    pub(super) fn between(old: &[Membership], new: Vec<Membership>) -> Vec<Self> {
        let stays = |member: &&Membership| !new.iter().any(|other| other.is_same(member));
        let gone: Vec<Self> = old.iter().filter(stays).cloned().map(Self::Remove).collect();
        let come = new.into_iter().filter(|member| !old.iter().any(|other| other.is_same(member)));
        gone.into_iter().chain(come.map(Self::Add)).collect()
    }

    pub(crate) const fn member(&self) -> &Membership {
        match self {
            Self::Add(member) | Self::Remove(member) => member,
        }
    }

    /// Returns the maximum number of operations of the change: a list that overflows changes the list row and inserts a
    /// member row.
    pub(crate) const fn most_operations(&self) -> usize {
        match self {
            Self::Add(_) => 2,
            Self::Remove(_) => 1,
        }
    }
}
