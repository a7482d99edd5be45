//! What a write does for indexes that are on their way in or out.

use std::sync::Arc;

use table_store::{Condition, Operation};

use super::{Duty, Registry, known::States};
use crate::{
    Error, RegistryError, Tables,
    design::Design,
    outbox::{Maker, Role},
    write::{CopyWrite, ListChange, Write},
};

/// What writes go by, until it is over.
#[derive(Debug, Default)]
pub(crate) struct Lease(Vec<(Arc<Registry>, Arc<States>)>);

impl Lease {
    /// Marks operations on rows that may be there or not.
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

    /// Whether the writes must be regulated anew before they are sent.
    pub(crate) fn is_over(&self) -> bool {
        self.0.iter().any(|(registry, states)| registry.is_over(states))
    }
}

impl Tables {
    /// Leaves of each write what the registry has it do.
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

    /// Whether a worker may make a row of an index where none is.
    pub(crate) async fn may_make(&self, maker: &Maker) -> Result<bool, Error> {
        let (Some(registry), Some(kind)) = (self.registry(), self.kinds().get(&maker.entity)) else {
            return Ok(true);
        };
        let states = registry.states(self, kind.design).await?;
        Ok(states.duty(kind.design, &maker.index) == Duty::Full)
    }

    /// Refuses a read by an index that may not have all its rows.
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
            // Whoever follows makes no row where none is.
            touch.role = Role::Old;
            true
        }
    });
}

/// Has a row go, whatever it was to become. Where none is, the refusal is cured.
fn remove(copy: &mut CopyWrite) {
    let (partition_key, row_key) =
        (copy.operation.partition_key().to_owned(), copy.operation.row_key().to_owned());
    copy.operation = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
}
