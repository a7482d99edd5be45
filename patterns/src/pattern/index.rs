//! Indexes in the partition of the entity: their rows are written in the entity's transaction.

mod apply;
mod owner;
mod read;
mod recover;
mod rows;
mod validate;

pub(crate) use apply::RowWork;
pub(crate) use read::IndexRead;
pub(crate) use rows::{IndexRow, IndexRows};
pub(crate) use validate::Validation;

use crate::{
    Error, Pending, Tables,
    core::rule::Rule,
    design::Index,
    write::{
        Change, Patched, Pattern, States, Write, properties_mut,
        work::{Entry, Works},
    },
};

/// The pattern of indexes in the partition of the entity.
#[derive(Debug)]
pub(crate) struct Indexes;

/// Returns whether the index has one row for each entity, in the partition of the entity.
pub(crate) fn has_near_rows(index: &Index) -> bool {
    index.near && index.ids().is_none()
}

impl Pattern for Indexes {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let Some((old, new)) = states.of_entity() else { return Ok(()) };
        let new = new.map(|new| new.take_rows(has_near_rows)).unwrap_or_default();
        let rows = match old {
            Some(old) => IndexRow::over(old, new),
            None => new.into_iter().map(|(index, row)| IndexRow::insert(index, row)).collect(),
        };
        if !rows.is_empty() {
            write.add(IndexRows::of(rows));
        }
        Ok(())
    }

    fn patch(&self, patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        let (Some(old), Some(properties)) = (patch.loaded, properties_mut(&mut write.operation)) else {
            return Ok(());
        };
        let rows = IndexRow::merge(old, properties);
        if !rows.is_empty() {
            write.add(IndexRows::of(rows));
        }
        Ok(())
    }

    fn settle<'a>(
        &self,
        tables: &'a Tables,
        writes: &'a mut [Write],
        _attempt: u32,
    ) -> Option<Pending<'a, ()>> {
        let mut changes = writes.iter().filter_map(Write::change::<IndexRows>);
        changes.any(Change::is_open).then(|| -> Pending<'a, ()> { Box::pin(owner::settle(tables, writes)) })
    }

    fn follow<'c>(&self, entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
        let mut works = Works::new();
        for (at, entry) in entries.iter().enumerate() {
            match entry.rule {
                Some(rule @ Rule::Index(_, index)) if index.lookup.is_none() => {
                    works.push((at, Box::new(RowWork::of(entry, rule))));
                }
                _ => {}
            }
        }
        Ok(works)
    }
}
