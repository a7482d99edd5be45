//! Steps back.

use super::{
    Migration, MigrationStep,
    rows::mark,
    turn::{Pass, Scan},
};
use crate::{
    Error, MoveState, MoveStatus, MovedFrom, RegistryError,
    core::{entity_types::of_types, table::table_of},
    handle::registry::moves::Progress,
    pattern::moving::marker_filter,
};

impl<E: MovedFrom> Migration<E> {
    pub(super) async fn back(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let first = Progress { pass: 1, ..status.progress.clone() };
        match status.state {
            MoveState::Gone => refuse::<E>(status, "markers were deleted; move the entities to other keys"),
            MoveState::New => {
                let progress = Progress { unmarked: true, ..Progress::default() };
                self.after_lease(status, MoveState::Both, progress).await
            }
            state if status.progress.pass == 0 => self.after_lease(status, state, first).await,
            MoveState::Both if status.progress.unmarked => self.mark(status).await,
            MoveState::Both => self.to(status, MoveState::Follow, 0, Progress::default()).await,
            MoveState::Follow | MoveState::Off => self.search(status).await,
        }
    }

    /// Writes the missing markers of a page.
    async fn mark(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let pass = Pass::Mark;
        let filter = of_types(E::DESIGN.entity_types()).unwrap_or(table_model::Filter::Constant(true));
        let scan = Scan { pass, tables: vec![table_of(E::DESIGN)?], filter };
        let position = self.page(status, scan).await?;
        let done = mark::<E>(&self.tables, position.page()).await?;
        match self.advance(status, pass, position, done).await? {
            Ok(step) => Ok(step),
            Err(_) => self.to(status, MoveState::Follow, 0, Progress::default()).await,
        }
    }

    /// Searches for markers and for entities that were moved in place, and ends the move if there are none.
    async fn search(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let (pass, tables) = (Pass::Check, vec![table_of(Self::designs().0)?]);
        let (old, new) = Self::designs();
        let in_place = of_types(new.entity_types().filter(|name| !old.reads(name)))
            .filter(|_| old.table.eq_ignore_ascii_case(new.table));
        let filter = in_place.into_iter().fold(marker_filter(), table_model::Filter::or);
        let position = self.page(status, Scan { pass, tables, filter }).await?;
        if position.page().is_some_and(|page| !page.rows.is_empty()) {
            return refuse::<E>(status, "entities were moved, and their markers must be followed");
        }
        self.forget(status).await
    }
}

fn refuse<E: MovedFrom>(status: &MoveStatus, reason: &'static str) -> Result<MigrationStep, Error> {
    let (entity, state, step) = (E::DESIGN.name, status.state, "a step back");
    Err(RegistryError::MoveState { entity, state, step, reason }.into())
}
