//! Who is in which list: what a write changes of the lists that lookups keep in one row each.

use crate::{Address, derived::DerivedRow, design::Index};

/// Most bytes that the operations of one change take: the list's own row is full, and the member gets one.
pub(super) const MOST_BYTES: usize = 40 * 1024;

/// An entity in a list.
#[derive(Clone, Debug)]
pub(crate) struct Membership {
    pub(crate) index: &'static Index,
    /// The list's own row.
    pub(crate) list: Address,
    /// The entity's RowKey.
    pub(crate) id: String,
    /// The member's row, for when the list's own is full.
    pub(crate) row: DerivedRow,
}

/// A change of a list.
#[derive(Clone, Debug)]
pub(crate) enum ListChange {
    /// The entity comes in.
    Add(Membership),
    /// The entity goes out.
    Remove(Membership),
}

impl Membership {
    /// Takes out of the rows of an entity those that are kept in lists; gives the rest and them.
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
    /// From the lists that an entity was in to those that it is to be in.
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

    /// Most operations that it can take: a list that overflows changes its own row and gets one for the new member.
    pub(crate) const fn most_operations(&self) -> usize {
        match self {
            Self::Add(_) => 2,
            Self::Remove(_) => 1,
        }
    }
}
