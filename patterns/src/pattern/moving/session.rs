//! One attempt of a verb: the state of the move, and requests under its lease.

use std::{marker::PhantomData, sync::Arc};

use table_model::{ETag, ErrorCode, Operation, TableError, TableName};

use super::MovedFrom;
use crate::{
    Error, MoveState, RegistryError, TableEntity, Tables, WriteResult,
    handle::registry::known::{Registry, States},
    write::{Change, Intent, Write},
};

/// Maximum number of attempts after concurrent writes.
pub(super) const ATTEMPTS: u32 = 64;

/// The state of a move, while it may be used.
#[derive(Clone, Debug)]
pub(crate) struct Session<'t, E> {
    pub(super) tables: &'t Tables,
    registry: &'t Registry,
    states: Arc<States>,
    pub(crate) state: MoveState,
    is_unmarked: bool,
    /// `true` while other programs can be in the state `both`.
    is_first: bool,
    entity: PhantomData<fn() -> E>,
}

/// Marks a write as planned under the state of a move.
#[derive(Clone, Debug)]
struct Leased(Arc<States>);

impl Change for Leased {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn relies_on(&self) -> Option<&Arc<States>> {
        Some(&self.0)
    }
}

impl<'t, E: MovedFrom> Session<'t, E> {
    pub(crate) async fn of(tables: &'t Tables) -> Result<Self, Error> {
        let registry = tables.registry().ok_or(RegistryError::None)?;
        let old = <E::Old as TableEntity>::DESIGN;
        let states = registry.states(tables, old).await?;
        let found = states.move_of(old, E::DESIGN)?;
        let state = found.map_or(MoveState::Off, |status| status.state);
        let is_unmarked = found.is_some_and(|status| status.progress.unmarked);
        let is_first = found.is_some_and(|status| status.progress.pass == 0);
        let states = Arc::clone(&states);
        Ok(Self { tables, registry, states, state, is_unmarked, is_first, entity: PhantomData })
    }

    /// Reads the states of the new type, so that concurrent writes do not read them once each.
    pub(crate) async fn prepare(&self) -> Result<(), Error> {
        self.registry.states(self.tables, E::DESIGN).await.map(drop)
    }

    /// Returns whether entities may exist whose old keys have no marker.
    pub(super) const fn is_unmarked(&self) -> bool {
        self.is_unmarked
    }

    /// Returns whether an insert first writes a marker at the old key. Programs in the state `both` rely on it.
    pub(super) fn claims(&self) -> bool {
        self.state == MoveState::Both || self.state == MoveState::New && self.is_first
    }

    /// Returns whether what was read under the state can still be relied on.
    pub(super) fn is_valid(&self) -> bool {
        !self.registry.is_over(&self.states)
    }

    /// Fails because of a marker in the state `off`, unless the state has expired.
    pub(super) fn refuse_marker(&self) -> Result<(), Error> {
        if !self.is_valid() {
            return Ok(());
        }
        let reason = "a marker is at the old key; continue the move that wrote it";
        let (entity, state, step) = (E::DESIGN.name, self.state, "a read or an insert");
        Err(RegistryError::MoveState { entity, state, step, reason }.into())
    }

    /// Sends a write of one row that is not visible as a change of the entity. Returns the `ETag`, or `None` if the
    /// condition was not met. An expired lease counts as such.
    pub(crate) async fn execute(
        &self,
        table: &TableName,
        operation: &Operation,
    ) -> Result<Option<ETag>, Error> {
        if !self.is_valid() {
            return Ok(None);
        }
        unless_refused(self.tables.execute(table, operation).await)
    }

    /// Sends writes of one partition that change the entity. Returns `None` if a condition was not met.
    pub(super) async fn send(&self, writes: Vec<Write>) -> Result<Option<Option<WriteResult>>, Error> {
        let leased = |write: Write| Intent::Ready(write.with(Leased(Arc::clone(&self.states))));
        let mut intents: Vec<Intent> = writes.into_iter().map(leased).collect();
        let sent = match (intents.pop(), intents.is_empty()) {
            (Some(intent), true) => self.tables.carry_out(intent).await,
            (last, _) => {
                intents.extend(last);
                self.tables.send_all(intents).await.map(|results| results.into_iter().last().flatten())
            }
        };
        match sent {
            Ok(result) => Ok(Some(result)),
            Err(error) if is_refused(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn unless_refused<T>(result: Result<Option<T>, Error>) -> Result<Option<T>, Error> {
    match result {
        Err(error) if is_refused(&error) => Ok(None),
        other => other,
    }
}

/// Returns whether a concurrent writer changed, created or deleted the row.
fn is_refused(error: &Error) -> bool {
    let is_of_row = matches!(error, Error::Service(_) | Error::AlreadyExists(_));
    is_of_row && (error.is_conflict() || error.is_not_found())
}

/// Returns the error of a verb whose entity was changed since it was read.
pub(super) fn changed() -> Error {
    TableError::new(ErrorCode::UpdateConditionNotSatisfied).into()
}

/// Returns the error of an insert of an entity that exists.
pub(super) fn exists() -> Error {
    TableError::new(ErrorCode::EntityAlreadyExists).into()
}
