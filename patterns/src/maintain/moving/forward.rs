//! Steps forward.

use table_model::Filter;

use super::{
    Migration, MigrationStep,
    rows::{clear, relocate, sweep},
    turn::{Pass, Scan},
};
use crate::{
    Error, MoveState, MoveStatus, MovedFrom, TableEntity,
    core::{
        entity_types::{is_followed, of_types},
        outbox::{FIRST, LAST_DEAD_LETTER},
        reserved::ENTITY_TYPE,
        table::table_of,
    },
    handle::registry::moves::Progress,
    pattern::moving::{leftover_type, marker_filter},
};

impl<E: MovedFrom> Migration<E> {
    pub(super) async fn forward(
        &self,
        status: &MoveStatus,
        target: MoveState,
    ) -> Result<MigrationStep, Error> {
        let unmarked = status.progress.unmarked;
        let waited = status.progress.pass > 0;
        let first = Progress { pass: 1, unmarked, ..Progress::default() };
        match status.state {
            MoveState::Gone if waited => Ok(MigrationStep::Done),
            MoveState::Gone => self.clear(status).await,
            // Programs in `both` rely on markers, which inserts in `new` write until the wait is over.
            state if state == target && (waited || state != MoveState::New) => Ok(MigrationStep::Done),
            MoveState::Off | MoveState::Follow => {
                self.after_lease(status, MoveState::Both, Progress::default()).await
            }
            // A pass must begin after no program inserts at old keys.
            state if !waited => self.after_lease(status, state, first).await,
            MoveState::Both => self.relocate(status).await,
            // A marker that a program wrote before the pass began can still take effect.
            MoveState::New if status.progress.pass > 1 => {
                self.after_lease(status, MoveState::Gone, Progress::default()).await
            }
            MoveState::New => self.sweep(status).await,
        }
    }

    /// Moves the entities of a page. The state `both` ends with a pass that finds no entity at an old key.
    async fn relocate(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let pass = Pass::Move;
        let scan = Scan {
            pass,
            tables: vec![table_of(Self::designs().0)?],
            filter: old_types::<E>().or(marker_filter()),
        };
        let position = self.page(status, scan).await?;
        let done = relocate::<E>(&self.tables, position.page()).await?;
        let moved = done.moved;
        let found = match self.advance(status, pass, position, done).await? {
            Ok(step) => return Ok(step),
            Err(found) => found,
        };
        let unmarked = status.progress.unmarked;
        if found == 0 {
            let progress = Progress { unmarked, ..Progress::default() };
            return self.to(status, MoveState::New, moved, progress).await;
        }
        let progress = Progress { pass: status.progress.pass + 1, unmarked, ..Progress::default() };
        self.to(status, MoveState::Both, moved, progress).await
    }

    /// Deletes what interrupted moves left at new keys, applies the commits of moves, and searches for entities that were
    /// inserted late.
    async fn sweep(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let (old, new) = Self::designs();
        let (pass, tables) = (Pass::Sweep, vec![table_of(old)?, table_of(new)?]);
        let mut filter = old_types::<E>().or(Filter::eq(ENTITY_TYPE, leftover_type::<E>()));
        if is_followed(old) || is_followed(new) {
            let records = Filter::ge("RowKey", FIRST).and(Filter::lt("RowKey", LAST_DEAD_LETTER));
            filter = filter.or(records);
        }
        let position = self.page(status, Scan { pass, tables, filter }).await?;
        let done = sweep::<E>(&self.tables, position.page()).await?;
        if let Ok(step) = self.advance(status, pass, position, done).await? {
            return Ok(step);
        }
        // Recorded, because another page of rows behind the position would begin the wait again.
        let progress = Progress { pass: 2, unmarked: status.progress.unmarked, ..Progress::default() };
        self.to(status, MoveState::New, 0, progress).await
    }

    /// Deletes the markers of a page.
    async fn clear(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let (old, new) = Self::designs();
        self.unguard(new).await?;
        let pass = Pass::Clear;
        let scan = Scan { pass, tables: vec![table_of(old)?], filter: marker_filter() };
        let position = self.page(status, scan).await?;
        let done = clear::<E>(&self.tables, position.page()).await?;
        match self.advance(status, pass, position, done).await? {
            Ok(step) => Ok(step),
            Err(_) => self.to(status, MoveState::Gone, 0, Progress { pass: 1, ..Progress::default() }).await,
        }
    }
}

/// Returns the filter for the rows of the old type.
pub(super) fn old_types<E: MovedFrom>() -> Filter {
    of_types(<E::Old as TableEntity>::DESIGN.entity_types()).unwrap_or(Filter::Constant(true))
}
