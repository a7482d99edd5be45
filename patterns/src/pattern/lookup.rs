//! Lookups whose lists are stored in the partition of the entity. A list is read before the write, and the write
//! succeeds only if the list is unchanged.

pub(crate) mod apply;
mod list_blob;
mod membership;
mod row;
pub(crate) mod verify;
mod work;

pub(crate) use membership::{ListChange, ListChanges, Membership, has_list};
pub(crate) use row::Own;

use crate::{
    Error, Pending, Tables,
    pattern::index::IndexRows,
    write::{
        Pattern, States, Write,
        work::{Entry, Works},
    },
};

/// The pattern of lookups.
#[derive(Debug)]
pub(crate) struct Lookups;

impl Pattern for Lookups {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let Some((old, new)) = states.of_entity() else { return Ok(()) };
        let old = old.map(Membership::of_old).unwrap_or_default();
        let new = new.map(Membership::take).unwrap_or_default();
        write.change_lists(ListChange::between(&old, new));
        Ok(())
    }

    fn follow<'c>(&self, entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
        work::works(entries)
    }

    fn settle<'a>(
        &self,
        tables: &'a Tables,
        writes: &'a mut [Write],
        _attempt: u32,
    ) -> Option<Pending<'a, ()>> {
        Some(Box::pin(row::settle(tables, writes)))
    }
}

impl Write {
    /// Adds changes of lists, and room for the operations that they become.
    pub(crate) fn change_lists(&mut self, changes: Vec<ListChange>) {
        if changes.is_empty() {
            return;
        }
        if self.change::<IndexRows>().is_none() {
            self.add(IndexRows::default());
        }
        self.add(ListChanges(changes));
    }
}
