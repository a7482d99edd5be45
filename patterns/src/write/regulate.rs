//! Adjustment of writes to indexes that are being added or removed.

use std::sync::Arc;

use table_model::{ErrorCode, TableError};

use crate::{
    Error, RegistryError, Tables,
    core::index_state::Duty,
    design::{Design, Index},
    handle::registry::known::{Registry, States},
    write::Write,
};

/// Registry states that writes rely on until they expire.
#[derive(Debug, Default)]
pub(crate) struct Lease(Vec<(Arc<Registry>, Arc<States>)>);

impl Lease {
    /// Marks operations on rows that may or may not exist.
    pub(crate) fn mark(&self, writes: &mut [Write]) {
        for write in writes {
            let Some(design) = write.design else { continue };
            let is_settled =
                |index: &str| self.0.iter().all(|(_, states)| states.is_settled(design.stored_name(), index));
            for change in &mut write.changes {
                change.mark(&is_settled);
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
            for change in &mut write.changes {
                change.regulate(&|rule| states.duty(design, rule));
            }
            match write.changes.iter().find_map(|change| change.relies_on()) {
                None => states.check_unmoved(design)?,
                // What was read under these states is read again.
                Some(relied) if registry.is_over(relied) => return Err(Error::from(outdated())),
                Some(relied) => lease.push((Arc::clone(registry), Arc::clone(relied))),
            }
            lease.push((Arc::clone(registry), states));
        }
        Ok(Lease(lease))
    }

    /// Fails if the registry rejects programs that write the version of a type. Called by workers and jobs before they
    /// write rows that are derived from entities, which no [`regulate`](Self::regulate) precedes.
    pub(crate) async fn check_version(&self, design: &'static Design) -> Result<(), Error> {
        match self.registry() {
            Some(registry) => registry.states_if_any(self, design).await?.check_version(design),
            None => Ok(()),
        }
    }

    /// Fails if the registry contains a type and its writers do not maintain an index, because nothing would maintain the
    /// rows that a job writes.
    pub(crate) async fn check_maintained(
        &self,
        design: &'static Design,
        index: &'static Index,
    ) -> Result<(), Error> {
        let Some(registry) = self.registry() else { return Ok(()) };
        let states = registry.states_if_any(self, design).await?;
        if !states.is_registered(design.stored_name()) {
            return Ok(());
        }
        states.check_index(design, index)?;
        if states.duty(design, index.name) == Duty::Full {
            return Ok(());
        }
        let state = states.of(design.stored_name(), index.name).map(|status| status.state);
        Err(RegistryError::NotMaintained { entity: design.name, index: index.name, state }.into())
    }

    /// Returns whether a worker may create a missing row of an index.
    pub(crate) async fn may_make(&self, design: &'static Design, index: &str) -> Result<bool, Error> {
        let Some(registry) = self.registry() else { return Ok(true) };
        let states = registry.states_to_read(self, design).await?;
        if let Some((_, index)) = design.index(index) {
            states.check_index(design, index)?;
        }
        Ok(states.duty(design, index) == Duty::Full)
    }

    /// Fails if the index is not readable, because rows may be missing.
    pub(crate) async fn may_read(&self, design: &'static Design, number: usize) -> Result<(), Error> {
        let Some(registry) = self.registry() else { return Ok(()) };
        let Some(index) = design.indexes.get(number) else { return Ok(()) };
        let states = registry.states_to_read(self, design).await?;
        states.check_unmoved(design)?;
        states.check_index(design, index)?;
        let state = states.of(design.stored_name(), index.name).map(|status| status.state);
        if state == Some(crate::core::index_state::IndexState::Readable) {
            return Ok(());
        }
        Err(RegistryError::NotReadable { entity: design.name, index: index.name, state }.into())
    }
}

fn outdated() -> TableError {
    let message = "The registry was read too long ago. Read the entity again.";
    TableError::with_message(ErrorCode::UpdateConditionNotSatisfied, message)
}
