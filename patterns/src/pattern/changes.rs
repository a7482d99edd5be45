//! Change feeds: a record of each change of an entity, written in the transaction of the change.
//!
//! The records of one entity type in one partition are numbered from 1 without gaps. A row, the *head*, contains the
//! number of the last record. Each change replaces the head in the version that it read, so that concurrent writers of a
//! partition agree on one order.

mod event;
mod feed;
mod name;
mod partition;
mod position;
mod recorded;
pub(crate) mod rewrite;
mod rows;
mod settle;
mod trim;

pub use event::{ChangeEvent, ChangeKind};
pub use feed::{ChangeBatch, ChangeFeed, HasChanges};
pub use position::ChangePosition;

use crate::{
    Error, Pending, Tables,
    write::{Patched, Pattern, States, Write},
};
use recorded::Recorded;

/// The pattern of change feeds.
#[derive(Debug)]
pub(crate) struct Changes;

impl Pattern for Changes {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let (old, new) = states.of_row();
        let kind = match (old.is_some(), new.is_some()) {
            (_, false) => ChangeKind::Delete,
            (false, true) => ChangeKind::Insert,
            (true, true) => ChangeKind::Update,
        };
        Recorded::add_to(write, kind);
        Ok(())
    }

    fn patch(&self, _patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        Recorded::add_to(write, ChangeKind::Update);
        Ok(())
    }

    fn settle<'a>(
        &self,
        tables: &'a Tables,
        writes: &'a mut [Write],
        attempt: u32,
    ) -> Option<Pending<'a, ()>> {
        let is_recorded = writes.iter().any(|write| write.change::<Recorded>().is_some());
        is_recorded.then(|| -> Pending<'a, ()> { Box::pin(settle::settle(tables, writes, attempt == 0)) })
    }
}
