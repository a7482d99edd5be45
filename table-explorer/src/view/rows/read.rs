//! A page of rows, read within bounds.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use table_model::{Continuation, Filter, Query, Row, RowRef, StorageFault, TableName};

use crate::{Place, problem::Problem, show::CELL};

/// Number of rows of a page.
pub(super) const ROWS: usize = 100;
/// Number of rows of the first request of a page, from which the size of the others is estimated.
const FIRST: usize = 10;
/// Maximum number of entities that a page reads.
pub(super) const MOST_READ: u64 = 10_000;
/// Time after which a page ends.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Size in bytes of stored entities that a request reads.
const READ_BYTES: usize = 4 << 20;
/// Size of the HTML of the rows of a page, about.
const PAGE_BYTES: usize = 80_000;

/// Rows and what it took to read them.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) rows: Vec<Row>,
    pub(super) continuation: Option<Continuation>,
    pub(super) requests: u32,
    pub(super) read: u64,
    pub(super) milliseconds: u128,
    /// The page has fewer rows because of its size.
    pub(super) is_cut: bool,
    /// The damaged record at which the page ends. The rows before it are there.
    pub(super) damage: Option<Problem>,
}

impl Read {
    /// Reads until there are `most` rows, or a bound is reached.
    pub(super) async fn page(
        place: &Place,
        table: &TableName,
        filter: Option<Filter>,
        cursor: Option<Continuation>,
        most: usize,
    ) -> Result<Self, Problem> {
        let started = Instant::now();
        let mut page = Self::default();
        let mut query = Query::new().read_bytes(READ_BYTES);
        query.filter = filter;
        query.continuation = cursor;
        let mut size = 0;
        loop {
            let wanted = page.wanted(size, most);
            query.top = u32::try_from(wanted).ok();
            let had = page.rows.len();
            let mut take = |row: RowRef<'_>| {
                size += size_of(row);
                page.rows.push(row.to_row());
                ControlFlow::Continue(())
            };
            let visited = place.tables.visit(table, query.clone(), &mut take).await;
            page.requests += 1;
            page.milliseconds = started.elapsed().as_millis();
            let segment = match visited {
                Ok(segment) => segment,
                Err(error) if matches!(error.fault(), Some(StorageFault::Corrupt { .. })) => {
                    page.read += (page.rows.len() - had) as u64;
                    page.continuation = None;
                    page.damage = Some(error.into());
                    return Ok(page);
                }
                Err(error) => return Err(error.into()),
            };
            page.read += segment.stats.read;
            page.continuation = segment.continuation;
            page.is_cut = size >= PAGE_BYTES && page.continuation.is_some();
            let is_over = page.is_cut
                || page.rows.len() >= most
                || page.read >= MOST_READ
                || started.elapsed() >= MOST_TIME;
            match &page.continuation {
                Some(token) if !is_over => query.continuation = Some(token.clone()),
                _ => return Ok(page),
            }
        }
    }

    /// Returns the number of rows of the next request.
    fn wanted(&self, size: usize, most: usize) -> usize {
        let rest = most.saturating_sub(self.rows.len());
        match size.checked_div(self.rows.len()) {
            None => FIRST.min(rest).max(1),
            Some(each) => (PAGE_BYTES.saturating_sub(size) / each.max(1)).clamp(1, rest.max(1)),
        }
    }
}

/// Returns the size of the HTML of a row, about.
fn size_of(row: RowRef<'_>) -> usize {
    let values = row.properties.iter().take(super::grid::COLUMNS).map(|(_, value)| {
        60 + match value {
            table_model::ValueRef::String(text) => 2 * text.len().min(2 * CELL),
            _ => 40,
        }
    });
    let keys = row.partition_key.map_or(0, str::len) + row.row_key.map_or(0, str::len);
    300 + 8 * keys + values.sum::<usize>()
}
