use std::ops::ControlFlow;

use table_model::{RowRef, TableName};

use super::{RunStats, fetch::Fetch};
use crate::{BorrowRow, Cursor, Error, Pending, SkippedRow, Source, core::error::DecodeError};

/// Items of one request.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let query = Employee::rows("Sales").page_size(2);
/// let first = query.page(&tables).await?;
/// assert_eq!(first.items.len(), 2);
/// let Some(cursor) = first.cursor else { return Ok(()) };
/// let second = query.clone().resume(cursor).page(&tables).await?;
/// assert_eq!((second.items.len(), second.cursor.is_none()), (1, true));
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// Items in the order of the query.
    pub items: Vec<T>,
    /// Cursor to the next page. `None` at the end.
    pub cursor: Option<Cursor>,
    /// Cursor to the page before this one, which [`Query::page`](crate::Query::page) returns in the same order. Its own
    /// [`cursor`](Self::cursor) leads to this page again. A previous page can be empty if rows were deleted.
    ///
    /// `None` on the first page. Always `None` on Azure, Azurite and Cosmos DB, which cannot read backward; if the page was resumed
    /// at the cursor of a stream; and for points, lookups, and several partitions or tables.
    pub previous: Option<Cursor>,
    /// Rows that were left out because of a [`RowPolicy`](crate::RowPolicy).
    pub skipped: Vec<SkippedRow>,
    /// Statistics of this request.
    pub stats: RunStats,
}

/// All items of a run, with its statistics.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let report = Employee::scan_partition("Sales").filter(|employee| employee.age.gt(30)).report(&tables).await?;
/// assert!(report.items.is_empty());
/// assert_eq!(report.stats.requests, 1);
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Report<T> {
    /// Items in the order of the query.
    pub items: Vec<T>,
    /// Rows that were left out because of a [`RowPolicy`](crate::RowPolicy), up to 1,000. `stats` contains their number.
    pub skipped: Vec<SkippedRow>,
    /// Statistics of the run.
    pub stats: RunStats,
}

/// Reads one segment.
pub(super) fn page<T: Send + 'static>(
    mut fetch: Fetch,
    mut read: impl FnMut(Source<'_>, RowRef<'_>) -> Result<T, DecodeError> + Send + 'static,
) -> Pending<'static, Page<T>> {
    Box::pin(async move {
        let (mut items, start) = (Vec::new(), fetch.given());
        fill(&mut fetch, &mut read, &mut items).await?;
        let (cursor, previous) = fetch.cursors(start);
        let skipped = fetch.take_skipped();
        Ok(Page { items, cursor, previous, skipped, stats: fetch.finish() })
    })
}

/// Reads all segments.
pub(super) fn report<T: Send + 'static>(
    mut fetch: Fetch,
    mut read: impl FnMut(Source<'_>, RowRef<'_>) -> Result<T, DecodeError> + Send + 'static,
) -> Pending<'static, Report<T>> {
    Box::pin(async move {
        let mut items = Vec::new();
        loop {
            fill(&mut fetch, &mut read, &mut items).await?;
            if fetch.is_done() {
                let skipped = fetch.take_skipped();
                return Ok(Report { items, skipped, stats: fetch.finish() });
            }
        }
    })
}

/// Reads all segments and passes each row to `visit`, until it breaks.
pub(super) fn each<'v, R: BorrowRow>(
    mut fetch: Fetch,
    mut visit: impl for<'r> FnMut(R::Ref<'r>) -> ControlFlow<()> + Send + 'v,
) -> Pending<'v, RunStats> {
    Box::pin(async move {
        let mut on_row = |fetch: &mut Fetch, table: &TableName, row: RowRef<'_>| {
            let lent = fetch.item(table, row, &mut |source, row| R::lend_row(source, row, &mut visit))?;
            let Some(flow) = lent else { return Ok(ControlFlow::Continue(())) };
            Ok(if fetch.give() { ControlFlow::Break(()) } else { flow })
        };
        while fetch.each(&mut on_row).await?.is_continue() && !fetch.is_done() {}
        Ok(fetch.finish())
    })
}

/// Reads one segment and appends its items. Rows of a projection are decoded in place. Other rows are copied before:
/// owned items that are allocated while the store reads its pages are slower.
async fn fill<T: Send>(
    fetch: &mut Fetch,
    read: &mut (impl FnMut(Source<'_>, RowRef<'_>) -> Result<T, DecodeError> + Send),
    items: &mut Vec<T>,
) -> Result<(), Error> {
    if fetch.is_projection() {
        let mut on_row =
            |fetch: &mut Fetch, table: &TableName, row: RowRef<'_>| take(fetch, table, row, read, items);
        return fetch.each(&mut on_row).await.map(drop);
    }
    let mut rows = fetch.rows().await?;
    items.reserve(rows.len());
    while let Some((table, row)) = rows.peek() {
        let flow = take(fetch, table, row, read, items)?;
        rows.advance();
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// Decodes a row and appends the item. Breaks after the last item that the run returns.
fn take<T>(
    fetch: &mut Fetch,
    table: &TableName,
    row: RowRef<'_>,
    read: &mut impl FnMut(Source<'_>, RowRef<'_>) -> Result<T, DecodeError>,
    items: &mut Vec<T>,
) -> Result<ControlFlow<()>, Error> {
    let Some(item) = fetch.item(table, row, read)? else { return Ok(ControlFlow::Continue(())) };
    items.push(item);
    Ok(if fetch.give() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}
