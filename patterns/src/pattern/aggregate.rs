//! Aggregates: counts, sums, extremes and copied fields that a target row keeps for its sources. A target in the
//! partition of a source is written in the source's transaction.

pub(crate) mod apply;
pub(crate) mod contribution;
mod feeding;
mod own;
mod patched;
pub(crate) mod target_entity;
pub(crate) mod verify;
mod work;

pub(crate) use contribution::sources;
pub(crate) use own::OwnTarget;

use std::sync::Arc;

use table_model::{ErrorCode, Operation};

use crate::{
    Address, Error, Pending, Tables,
    core::written::WriteResult,
    write::{
        Change, Patched, Pattern, Recovery, States, Write, properties_mut,
        work::{Entry, Works},
    },
};
use contribution::FeedChange;

/// The pattern of aggregates.
#[derive(Debug)]
pub(crate) struct Aggregates;

impl Pattern for Aggregates {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let (old, new) = states.of_row();
        let own = match (old, new.as_deref()) {
            (Some(old), Some(_)) => OwnTarget::of(old),
            (Some(old), None) => OwnTarget::of(old).map(|own| OwnTarget {
                goes: true,
                others: old.unread.to_properties(),
                ..own
            }),
            (None, new) => new.and_then(OwnTarget::of_new),
        };
        write.total(Totals { feeds: FeedChange::between(old, new.as_deref()), targets: Vec::new(), own });
        write.keep_known();
        Ok(())
    }

    fn patch(&self, patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        patched::check(patch, write)?;
        let properties = properties_mut(&mut write.operation);
        let loaded = patch.loaded.zip(properties);
        let feeds = loaded.map(|(old, properties)| FeedChange::of_patch(old, properties)).unwrap_or_default();
        write.total(Totals { feeds, targets: Vec::new(), own: patch.found.and_then(OwnTarget::of) });
        Ok(())
    }

    fn follow<'c>(&self, entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
        Ok(work::works(entries))
    }

    fn settle<'a>(
        &self,
        tables: &'a Tables,
        writes: &'a mut [Write],
        attempt: u32,
    ) -> Option<Pending<'a, ()>> {
        Some(Box::pin(contribution::settle(tables, writes, attempt == 0)))
    }
}

/// Changes of aggregates by one write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    /// Changes of the entity's contributions to targets in its partition. They become operations when the targets have
    /// been read.
    feeds: Vec<FeedChange>,
    /// Operations on the targets.
    targets: Vec<Operation>,
    /// State of the entity's own row, if other entities keep values in it.
    own: Option<OwnTarget>,
}

impl Totals {
    fn is_empty(&self) -> bool {
        self.feeds.is_empty() && self.own.is_none()
    }

    /// Returns the state of the entity's row if the operation on the entity has a special meaning.
    fn is_own(&self, is_such: impl Fn(&OwnTarget) -> bool) -> bool {
        self.own.as_ref().is_some_and(is_such)
    }
}

impl Write {
    fn total(&mut self, totals: Totals) {
        if !totals.is_empty() {
            self.add(totals);
        }
    }

    /// Returns the state of the entity's own row, if other entities keep values in it.
    fn own_target(&self) -> Option<&OwnTarget> {
        self.change::<Totals>()?.own.as_ref()
    }
}

impl Change for Totals {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        !self.is_open()
    }

    fn is_open(&self) -> bool {
        !self.feeds.is_empty() || self.is_own(OwnTarget::is_open)
    }

    fn contended(&self, entity: &dyn Fn() -> Address) -> Option<Address> {
        let target = self.feeds.first().map(|change| change.sink.clone());
        target.or_else(|| self.is_open().then(entity))
    }

    fn shared(&self) -> Vec<&Address> {
        self.feeds.iter().map(|change| &change.sink).collect()
    }

    fn operations(&self) -> Box<dyn Iterator<Item = &Operation> + '_> {
        Box::new(self.targets.iter())
    }

    fn take_operations(&mut self) -> Vec<Operation> {
        std::mem::take(&mut self.targets)
    }

    fn recover(&mut self, _number: usize, _operation: &mut Operation, code: ErrorCode) -> Recovery {
        if is_outdated(code) { Recovery::Stale } else { Recovery::None }
    }

    fn is_outdated(&self, code: ErrorCode) -> bool {
        match &self.own {
            Some(own) if own.is_open() => code == ErrorCode::EntityAlreadyExists,
            Some(own) if own.takes_over => is_outdated(code),
            _ => false,
        }
    }

    fn complete(&mut self, _operation: &Operation, written: &mut Option<WriteResult>) {
        match (self.own.take(), written) {
            // The row may remain, because it stores aggregates of other entities.
            (Some(own), written) if own.goes => *written = None,
            (Some(own), Some(written)) => written.kept = Some(Arc::new(own.kept.unwrap_or_default())),
            _ => {}
        }
    }
}

/// Returns whether a rejection means that a row was changed since it was read.
const fn is_outdated(code: ErrorCode) -> bool {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied)
}
