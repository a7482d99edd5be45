//! Adjustment of writes to indexes that are being added or removed.

use std::sync::Arc;

use table_model::{Condition, Operation};

use super::{Duty, Registry, known::States};
use crate::{
    Error, RegistryError, Tables,
    design::Design,
    outbox::{Maker, Role},
    write::{CopyWrite, ListChange, Write},
};

/// Registry states that writes rely on until they expire.
#[derive(Debug, Default)]
pub(crate) struct Lease(Vec<(Arc<Registry>, Arc<States>)>);

impl Lease {
    /// Marks operations on rows that may or may not exist.
    pub(crate) fn mark(&self, writes: &mut [Write]) {
        for write in writes {
            let Some(design) = write.design else { continue };
            for copy in &mut write.copies {
                let is_settled =
                    |(_, states): &(_, Arc<States>)| states.is_settled(design.name, copy.index.name);
                copy.is_vague = !self.0.iter().all(is_settled);
            }
        }
    }

    /// Returns `true` if the writes must be adjusted again before they are sent.
    pub(crate) fn is_over(&self) -> bool {
        self.0.iter().any(|(registry, states)| registry.is_over(states))
    }
}

impl Tables {
    /// Removes or changes the parts of each write according to the registry.
    pub(crate) async fn regulate(&self, writes: &mut [Write]) -> Result<Lease, Error> {
        let Some(registry) = self.registry() else { return Ok(Lease::default()) };
        let mut lease = Vec::with_capacity(1);
        for write in writes {
            let Some(design) = write.design else { continue };
            let states = registry.states(self, design).await?;
            regulate(write, |rule| states.duty(design, rule));
            lease.push((Arc::clone(registry), states));
        }
        Ok(Lease(lease))
    }

    /// Returns whether a worker may create a missing row of an index.
    pub(crate) async fn may_make(&self, maker: &Maker) -> Result<bool, Error> {
        let (Some(registry), Some(kind)) = (self.registry(), self.kinds().get(&maker.entity)) else {
            return Ok(true);
        };
        let states = registry.states(self, kind.design).await?;
        Ok(states.duty(kind.design, &maker.index) == Duty::Full)
    }

    /// Fails if the index is not readable, because rows may be missing.
    pub(crate) async fn may_read(&self, by: Option<(&'static Design, usize)>) -> Result<(), Error> {
        let (Some(registry), Some((design, number))) = (self.registry(), by) else { return Ok(()) };
        let Some(index) = design.indexes.get(number) else { return Ok(()) };
        let states = registry.states(self, design).await?;
        let state = states.of(design.name, index.name).map(|status| status.state);
        if state == Some(super::IndexState::Readable) {
            return Ok(());
        }
        Err(RegistryError::NotReadable { entity: design.name, index: index.name, state }.into())
    }
}

fn regulate(write: &mut Write, duty: impl Fn(&str) -> Duty) {
    write.copies.retain_mut(|copy| match duty(copy.index.name) {
        Duty::Full => true,
        Duty::None => false,
        Duty::Remove => {
            remove(copy);
            true
        }
    });
    write.claims.retain(|claim| matches!(duty(claim.index.name), Duty::Full));
    let lists = std::mem::take(&mut write.lists);
    write.lists = lists
        .into_iter()
        .filter_map(|change| match (duty(change.member().index.name), change) {
            (Duty::Full, change) => Some(change),
            (Duty::Remove, ListChange::Add(member) | ListChange::Remove(member)) => {
                Some(ListChange::Remove(member))
            }
            (Duty::None, _) => None,
        })
        .collect();
    write.far.touches.retain_mut(|touch| match duty(&touch.maker.index) {
        Duty::Full => true,
        Duty::None => false,
        Duty::Remove => {
            // A worker that applies this creates no missing row.
            touch.role = Role::Old;
            true
        }
    });
}

/// Converts the operation to a delete. If the row does not exist, the rejection is recovered later.
fn remove(copy: &mut CopyWrite) {
    let (partition_key, row_key) =
        (copy.operation.partition_key().to_owned(), copy.operation.row_key().to_owned());
    copy.operation = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
}
