//! Changes of the state in the registry, and pages of rows.

use std::time::{Duration, Instant};

use table_model::{Condition, ErrorCode, Filter, Operation, TableError, TableName};

use super::{Migration, MigrationStep};
use crate::{
    Address, Cursor, Error, IndexState, MoveState, MoveStatus, MovedFrom, RegistryError,
    core::table::table_of,
    handle::registry::{
        moves::{Progress, guard_row, move_row, now_row},
        row::table,
    },
    maintain::{
        registry::turn,
        sweep::{Walk, WalkPage, keep_pace},
    },
};

/// A kind of pass. A cursor of one kind does not apply to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Move,
    Sweep,
    Clear,
    Mark,
    Check,
}

/// The rows of a pass.
pub(super) struct Scan {
    pub(super) pass: Pass,
    pub(super) tables: Vec<TableName>,
    pub(super) filter: Filter,
}

/// Result of a page.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Entities at old keys.
    pub(super) found: u64,
    pub(super) moved: u64,
    pub(super) stuck: Vec<(Address, Error)>,
}

/// A page of rows, and the position after it.
pub(super) struct Position {
    walk: Walk,
    page: Option<WalkPage>,
    began: Instant,
    before: u64,
    /// `true` if the pass starts with this page.
    is_first: bool,
}

impl Pass {
    const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Sweep => "move-sweep",
            Self::Clear => "move-clear",
            Self::Mark => "move-mark",
            Self::Check => "move-check",
        }
    }
}

fn unless_exists(error: TableError) -> Result<(), TableError> {
    if error.code() == ErrorCode::TableAlreadyExists { Ok(()) } else { Err(error) }
}

impl Position {
    pub(super) const fn page(&self) -> Option<&WalkPage> {
        self.page.as_ref()
    }
}

impl<E: MovedFrom> Migration<E> {
    /// Starts the move: registers the new type, creates the tables, excludes programs that use the types without regard
    /// to it, and enters `follow`.
    pub(super) async fn start(&self) -> Result<MigrationStep, Error> {
        let (old, new) = Self::designs();
        // Once an entity is at its new key, the type can no longer be registered as one without rows.
        let registry = self.tables.registry().ok_or(RegistryError::None)?;
        for design in [old, new] {
            let states = registry.states(&self.tables, design).await?;
            // Otherwise the values of some entities may not be reserved.
            for index in design.indexes.iter().filter(|index| index.is_reserved()) {
                let state = states.of(design.stored_name(), index.name).map(|status| status.state);
                if state != Some(IndexState::Readable) {
                    let (entity, index) = (design.name, index.name);
                    return Err(RegistryError::NotReadable { entity, index, state }.into());
                }
            }
        }
        for design in [old, new] {
            self.tables.service().create_table(&table_of(design)?).await.or_else(unless_exists)?;
            self.tables.execute(&table()?, &Operation::InsertOrReplace(guard_row(design, new))).await?;
        }
        let row = move_row((old, new), MoveState::Follow, 0, Progress::default());
        self.write(Operation::Insert(row), MoveState::Follow).await
    }

    /// Removes the exclusion of other programs, after the move was ended.
    pub(super) async fn end(&self) -> Result<MigrationStep, Error> {
        let (old, new) = Self::designs();
        for design in [old, new] {
            self.unguard(design).await?;
        }
        Ok(MigrationStep::Done)
    }

    /// Allows the use of a type without regard to the move.
    pub(super) async fn unguard(&self, design: &'static crate::Design) -> Result<(), Error> {
        let guard = guard_row(design, E::DESIGN);
        self.delete(guard.partition_key, guard.row_key, Condition::Exists).await
    }

    /// Deletes the row of the move, unless it was changed since.
    pub(super) async fn forget(&self, status: &MoveStatus) -> Result<MigrationStep, Error> {
        let row = move_row(Self::designs(), status.state, 0, Progress::default());
        self.delete(row.partition_key, row.row_key, Condition::Matches(status.etag.clone())).await?;
        Ok(MigrationStep::Advanced(MoveState::Off))
    }

    async fn delete(
        &self,
        partition_key: String,
        row_key: String,
        condition: Condition,
    ) -> Result<(), Error> {
        let delete = Operation::Delete { partition_key, row_key, condition };
        turn::write(&self.tables, &delete).await
    }

    /// Writes the next state after no program uses the previous state.
    pub(super) async fn after_lease(
        &self,
        status: &MoveStatus,
        next: MoveState,
        progress: Progress,
    ) -> Result<MigrationStep, Error> {
        match self.rest(status).await? {
            Some(rest) => Ok(MigrationStep::Wait(rest)),
            None => self.to(status, next, 0, progress).await,
        }
    }

    async fn rest(&self, status: &MoveStatus) -> Result<Option<Duration>, Error> {
        let (old, new) = Self::designs();
        turn::rest(&self.tables, now_row(old, new), status.since).await
    }

    /// Writes the state, unless another process changed it.
    pub(super) async fn to(
        &self,
        status: &MoveStatus,
        next: MoveState,
        moved: u64,
        progress: Progress,
    ) -> Result<MigrationStep, Error> {
        let row = move_row(Self::designs(), next, status.moved + moved, progress);
        self.write(Operation::Replace(row, Condition::Matches(status.etag.clone())), next).await
    }

    async fn write(&self, operation: Operation, next: MoveState) -> Result<MigrationStep, Error> {
        turn::write(&self.tables, &operation).await?;
        Ok(MigrationStep::Advanced(next))
    }

    /// Reads the next page of a pass.
    pub(super) async fn page(&self, status: &MoveStatus, scan: Scan) -> Result<Position, Error> {
        let began = Instant::now();
        let name = scan.pass.name();
        let mut walk = Walk::new(name, E::DESIGN.name, scan.tables, Some(scan.filter));
        if let Some(rows) = self.page {
            walk.page_size(rows);
        }
        let cursor = status.progress.cursor.as_deref().and_then(|cursor| cursor.split_once(' '));
        let cursor = cursor.filter(|(pass, _)| *pass == name);
        if let Some((_, cursor)) = cursor {
            walk.resume(cursor.parse::<Cursor>()?)?;
        }
        let (before, page) = (walk.read(), walk.page(&self.tables).await?);
        Ok(Position { walk, page, began, before, is_first: cursor.is_none() })
    }

    /// Stores the position after a page. After the last page, `last` continues with the number of entities that the
    /// pass found at old keys.
    pub(super) async fn advance(
        &self,
        status: &MoveStatus,
        pass: Pass,
        position: Position,
        done: Done,
    ) -> Result<Result<MigrationStep, u64>, Error> {
        if !done.stuck.is_empty() {
            // The cursor stays before this page: the next step processes it again.
            return Ok(Ok(MigrationStep::Stuck(done.stuck)));
        }
        let Position { mut walk, page, began, before, is_first } = position;
        let found = done.found + if is_first { 0 } else { status.progress.found };
        match page {
            Some(page) => walk.done(page),
            None => walk.finish(),
        }
        let Some(cursor) = walk.cursor() else { return Ok(Err(found)) };
        let cursor = Some(format!("{} {cursor}", pass.name()));
        let progress = Progress { cursor, found, ..status.progress.clone() };
        self.to(status, status.state, done.moved, progress).await?;
        if let Some(per_second) = self.per_second {
            keep_pace(began, walk.read() - before, per_second).await;
        }
        Ok(Ok(MigrationStep::Rows(walk.read())))
    }
}
