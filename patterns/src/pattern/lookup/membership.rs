//! Memberships in lists: the changes that a write makes to lookup lists stored in one row each.

use crate::{
    Address,
    core::{derived_row::DerivedRow, index_state::Duty, old::Old},
    design::Index,
    pattern::index::has_near_rows,
    write::{Change, New},
};

/// Maximum size of the operations for one change, in bytes: the list row is full, and the member gets a separate row.
const MOST_BYTES: usize = 40 * 1024;

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
    /// `true` if a rule without lists, of the version that wrote the entity, has the row of the member. It is deleted as
    /// such a row.
    pub(crate) is_other_row: bool,
}

/// Returns whether the index stores lists in the partition of the entity.
pub(crate) fn has_list(index: &Index) -> bool {
    index.near && index.ids().is_some()
}

/// The changes of one write. They become operations on index rows when the lists have been read.
#[derive(Clone, Debug)]
pub(crate) struct ListChanges(pub(crate) Vec<ListChange>);

impl Change for ListChanges {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    fn is_open(&self) -> bool {
        !self.0.is_empty()
    }

    fn contended(&self, _entity: &dyn Fn() -> Address) -> Option<Address> {
        self.0.first().map(|change| change.member().list.clone())
    }

    fn most_operations(&self) -> usize {
        self.0.iter().map(ListChange::most_operations).sum()
    }

    fn bytes(&self) -> usize {
        self.0.len() * MOST_BYTES
    }

    fn regulate(&mut self, duty: &dyn Fn(&str) -> Duty) {
        let changes = std::mem::take(&mut self.0).into_iter();
        let kept = changes.filter_map(|change| match (duty(change.member().index.name), change) {
            (Duty::Full, change) => Some(change),
            (Duty::Remove, ListChange::Add(member) | ListChange::Remove(member)) => {
                Some(ListChange::Remove(member))
            }
            (Duty::None, _) => None,
        });
        self.0 = kept.collect();
    }
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
    pub(crate) fn of(entity: &Address, row: &DerivedRow) -> Option<Self> {
        let index = row.rule.index().filter(|index| has_list(index))?;
        Self::in_list(index, entity, row.clone())
    }

    fn in_list(index: &'static Index, entity: &Address, row: DerivedRow) -> Option<Self> {
        let id = entity.row_key.clone();
        let list = row.address.row_key.strip_suffix(id.as_str())?.strip_suffix('!')?;
        let list = Address { row_key: list.to_owned(), ..row.address.clone() };
        Some(Self { index, list, id, row, is_other_row: false })
    }

    /// Returns the lists that contained the entity.
    pub(super) fn of_old(old: &Old) -> Vec<Self> {
        let rows = old.derived().filter(|(index, _)| has_list(index));
        let is_other_row = |row: &DerivedRow| {
            old.derived().any(|(index, other)| has_near_rows(index) && other.address == row.address)
        };
        let members = rows.filter_map(|(index, row)| Self::in_list(index, &old.address, row.clone()));
        members.map(|member| Self { is_other_row: is_other_row(&member.row), ..member }).collect()
    }

    /// Moves the lists that contain the entity after the write out of its rows.
    pub(super) fn take(new: &mut New) -> Vec<Self> {
        let rows = new.take_rows(has_list).into_iter();
        rows.filter_map(|(index, row)| Self::in_list(index, &new.address, row)).collect()
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
        let was_in = |member: &Membership| old.iter().any(|other| other.row.is_in_list(&member.row));
        let come = new.into_iter().filter(|member| !was_in(member));
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
