use std::cmp::Ordering;

use futures_util::{StreamExt, future::join, stream};
use table_model::{Filter, Result, RowRef, TableName, TableService, Timestamp};

use super::{
    Copied,
    pages::{Pages, order},
    pass::Pass,
};
use crate::send::{concurrency, create};

/// A copy of a table to the table of the same name of another service.
///
/// Rows are copied as stored, with index rows and commit records, but their ETags and timestamps are those of the target.
/// Programs can write the source meanwhile: a repeated copy transfers what they changed. A write of another client at the
/// target is never overwritten unread.
#[derive(Clone, Copy, Debug)]
pub struct TableCopy<'c> {
    pub(super) from: &'c dyn TableService,
    pub(super) to: &'c dyn TableService,
    pub(super) table: &'c TableName,
    pub(super) writes: bool,
    pub(super) deletes_extra: bool,
}

impl<'c> TableCopy<'c> {
    /// Creates a copy of a table. Extra rows of the target remain.
    pub const fn new(from: &'c dyn TableService, to: &'c dyn TableService, table: &'c TableName) -> Self {
        Self { from, to, table, writes: true, deletes_extra: false }
    }

    /// Only compares: nothing is written, and all differences remain.
    #[must_use]
    pub const fn comparing(mut self, compares: bool) -> Self {
        self.writes = !compares;
        self
    }

    /// Deletes rows of the target that the source does not contain.
    #[must_use]
    pub const fn deleting_extra(mut self, deletes: bool) -> Self {
        self.deletes_extra = deletes;
        self
    }

    /// Compares both tables completely, and writes what differs. Each row is read once on each side, and `progress` is
    /// called for each page of the source.
    ///
    /// # Errors
    /// Errors of a service that do not concern a single row, such as `TableNotFound` of the source. Some differences may
    /// have been removed; the next run continues.
    pub async fn run(&self, mut progress: impl AsyncFnMut(&Copied)) -> Result<Copied> {
        self.create().await?;
        let mut pass = Pass::new(self);
        let mut source = Pages::new(self.from, self.table, None);
        let mut target = Pages::new(self.to, self.table, None);
        loop {
            if source.must_read() || target.must_read() {
                progress(&pass.copied).await;
                let (read, found) = pass.during(join(source.read(), target.read())).await?;
                read?;
                target.end_if_missing(found)?;
            }
            let side = match (source.row(), target.row()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(source), Some(target)) => order(source, target),
            };
            let from = source.row().filter(|_| side.is_le());
            let to = target.row().filter(|_| side.is_ge());
            pass.row(from, to).await?;
            if side.is_le() {
                source.advance();
            }
            if side.is_ge() {
                target.advance();
            }
        }
        pass.finish().await
    }

    /// Copies the rows of the source that were written at `since` or later, by its clock. Rows that were deleted remain at
    /// the target until the next [`run`](Self::run). The source reads the complete table, the target only these rows.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_since(
        &self,
        since: Timestamp,
        mut progress: impl AsyncFnMut(&Copied),
    ) -> Result<Copied> {
        self.create().await?;
        let mut pass = Pass::new(self);
        let mut source = Pages::new(self.from, self.table, Some(Filter::ge("Timestamp", since)));
        while source.must_read() {
            progress(&pass.copied).await;
            pass.during(source.read()).await??;
            let rows = source.take_page();
            let find = |row: RowRef<'_>| {
                let keys = (row.partition_key.map(str::to_owned), row.row_key.map(str::to_owned));
                async move {
                    let (partition, row) = (keys.0.unwrap_or_default(), keys.1.unwrap_or_default());
                    self.to.find(self.table, &partition, &row, None).await
                }
            };
            let mut found = stream::iter(rows.iter().map(find)).buffered(concurrency(self.to));
            for row in &rows {
                let Some(target) = pass.during(found.next()).await? else { break };
                pass.row(Some(row), target?.get(0)).await?;
            }
        }
        pass.finish().await
    }

    async fn create(&self) -> Result<()> {
        if self.writes { create(self.to, self.table).await } else { Ok(()) }
    }
}
