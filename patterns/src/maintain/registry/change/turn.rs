//! One step of an index change.

use std::time::{Duration, Instant};

use table_model::{Condition, Entity, Operation};

use super::{IndexChange, IndexStep};
use crate::{
    Cursor, Difference, Error, Job, RegistryError, Reindex, RemoveIndexRows, RepairStatus, Sweep, Verify,
    core::index_state::IndexState,
    design::Index,
    handle::registry::row::{IndexProgress, IndexStatus, index_row, now_row, table},
    maintain::{registry::turn, sweep::keep_pace},
};

/// A processed page.
struct Page {
    /// Position after the page. `None` after the last page.
    cursor: Option<Cursor>,
    /// Rows processed in the current state.
    rows: u64,
    /// Rows of this page.
    read: u64,
    /// Index rows that were written or deleted in the current state.
    changed: u64,
    began: Instant,
}

impl IndexChange {
    pub(super) async fn further(
        &self,
        index: &'static Index,
        status: Option<&IndexStatus>,
    ) -> Result<IndexStep, Error> {
        let Some(status) = status else {
            let first = IndexState::DeleteOnly;
            let row = index_row(self.kind.newest(), index, first, IndexProgress::default());
            return self.write(Operation::Insert(row), first).await;
        };
        let Some((next, waits)) = status.state.further() else {
            if status.state == IndexState::Readable {
                return Ok(IndexStep::Done);
            }
            let (entity, index) = (self.kind.name(), index.name);
            return Err(RegistryError::Goes { entity, index, state: status.state }.into());
        };
        match status.state {
            IndexState::Backfill => {
                let mut sweep = self.paced(Reindex::of(&self.tables, self.kind, index.name));
                let page = self.page(status, &mut sweep, |report| report.written).await?;
                if !sweep.report().without.is_empty() {
                    // The cursor stays before this page: the next step processes it again.
                    return Ok(IndexStep::Stuck(sweep.report().without.clone()));
                }
                self.advance(index, status, page, next).await
            }
            IndexState::Verify => {
                let mut sweep = self.paced(Verify::of(&self.tables, self.kind).repair());
                let page = self.page(status, &mut sweep, |report| report.repaired).await?;
                let found = &sweep.report().differences;
                let stuck: Vec<_> = found.iter().filter(|one| is_stuck(one, index)).cloned().collect();
                if !stuck.is_empty() {
                    return Ok(IndexStep::Stuck(stuck));
                }
                if found.iter().any(|one| one.index == Some(index.name)) {
                    // The index becomes readable after a complete pass without differences.
                    return self.to(index, status, IndexState::Verify, IndexProgress::default()).await;
                }
                self.advance(index, status, page, next).await
            }
            _ => self.after_lease(index, status, next, waits).await,
        }
    }

    pub(super) async fn back(
        &self,
        index: &'static Index,
        status: Option<&IndexStatus>,
    ) -> Result<IndexStep, Error> {
        let Some(status) = status else { return Ok(IndexStep::Done) };
        if let Some((next, waits)) = status.state.back() {
            return self.after_lease(index, status, next, waits).await;
        }
        if let Some(rest) = self.rest(index, status).await?.filter(|_| status.progress.cursor.is_none()) {
            return Ok(IndexStep::Wait(rest));
        }
        if !index.near {
            // After the declaration is removed, no program can apply a commit record that refers to the index.
            self.tables.catch_up().await?;
        }
        let mut sweep = self.paced(RemoveIndexRows::of(&self.tables, self.kind, index.name));
        let page = self.page(status, &mut sweep, |report| report.removed).await?;
        if !sweep.report().left.is_empty() {
            // The cursor stays before this page: the next step processes it again.
            return Ok(IndexStep::Stuck(sweep.report().left.clone()));
        }
        if page.cursor.is_some() {
            return self.advance(index, status, page, status.state).await;
        }
        let Entity { partition_key, row_key, .. } =
            index_row(self.kind.newest(), index, status.state, IndexProgress::default());
        let gone = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
        match self.tables.execute(&table()?, &gone).await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(IndexStep::Done),
        }
    }

    fn paced<J: Job>(&self, mut sweep: Sweep<J>) -> Sweep<J> {
        if let Some(rows) = self.page {
            sweep = sweep.page_size(rows);
        }
        sweep
    }

    /// Processes one page, starting at the cursor in the registry. The cursor is stored by [`advance`](Self::advance),
    /// after the result of the page was checked. `changed` returns the number of index rows that a page changed.
    async fn page<J: Job>(
        &self,
        status: &IndexStatus,
        sweep: &mut Sweep<J>,
        changed: impl FnOnce(&J::Report) -> u64,
    ) -> Result<Page, Error> {
        let began = Instant::now();
        let mut before = 0;
        if let Some(cursor) = &status.progress.cursor {
            sweep.resume_at(cursor.parse::<Cursor>()?)?;
            before = sweep.rows();
        }
        let is_more = sweep.step().await?;
        let cursor = sweep.cursor().filter(|_| is_more);
        let changed = status.progress.changed + changed(sweep.report());
        Ok(Page { cursor, rows: sweep.rows(), read: sweep.rows() - before, changed, began })
    }

    /// Stores the cursor after a page, or advances to the next state after the last page.
    async fn advance(
        &self,
        index: &'static Index,
        status: &IndexStatus,
        page: Page,
        next: IndexState,
    ) -> Result<IndexStep, Error> {
        let is_last = page.cursor.is_none();
        let state = if is_last { next } else { status.state };
        // A concurrent process that stored its cursor first has processed the page too.
        let progress = page
            .cursor
            .map(|cursor| IndexProgress { cursor: Some(cursor.to_string()), changed: page.changed });
        let moved = self.to(index, status, state, progress.unwrap_or_default()).await?;
        if let Some(per_second) = self.per_second {
            keep_pace(page.began, page.read, per_second).await;
        }
        Ok(if is_last { moved } else { IndexStep::Rows(page.rows) })
    }

    /// Advances after no program uses the previous state.
    async fn after_lease(
        &self,
        index: &'static Index,
        status: &IndexStatus,
        next: IndexState,
        waits: bool,
    ) -> Result<IndexStep, Error> {
        if let Some(rest) = self.rest(index, status).await?.filter(|_| waits) {
            return Ok(IndexStep::Wait(rest));
        }
        self.to(index, status, next, IndexProgress::default()).await
    }

    async fn rest(&self, index: &'static Index, status: &IndexStatus) -> Result<Option<Duration>, Error> {
        turn::rest(&self.tables, now_row(self.kind.newest(), index), status.since).await
    }

    async fn to(
        &self,
        index: &'static Index,
        status: &IndexStatus,
        next: IndexState,
        progress: IndexProgress,
    ) -> Result<IndexStep, Error> {
        let row = index_row(self.kind.newest(), index, next, progress);
        self.write(Operation::Replace(row, Condition::Matches(status.etag.clone())), next).await
    }

    async fn write(&self, operation: Operation, next: IndexState) -> Result<IndexStep, Error> {
        turn::write(&self.tables, &operation).await?;
        Ok(IndexStep::Moved(next))
    }
}

/// Returns `true` if a repair cannot fix the difference.
fn is_stuck(difference: &Difference, index: &Index) -> bool {
    let is_ours = difference.index.is_none_or(|name| name == index.name);
    is_ours
        && matches!(difference.repair, RepairStatus::Left | RepairStatus::Failed(_) | RepairStatus::NotTried)
}
