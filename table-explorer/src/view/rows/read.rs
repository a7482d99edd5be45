//! A page of rows, read within bounds.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use table_model::{Continuation, Filter, Query, Row, RowRef, StorageFault, TableName};

use super::size::PageSize;
use crate::{Place, problem::Problem};

/// Number of rows of a page.
pub(super) const ROWS: usize = 100;
/// Number of rows of the first request of a page, from which the size of the others is estimated.
const FIRST: usize = 10;
/// Maximum number of entities that a page reads.
pub(super) const MOST_READ: u64 = 10_000;
/// Time after which a page ends.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Size in bytes of stored entities after which a store in this process answers, so that the bounds of a page are checked
/// often: about a thousand of the smallest entities.
const READ_BYTES: usize = 64 << 10;
/// Size of the HTML of the rows of a page, about.
const PAGE_BYTES: usize = 80_000;

/// Rows and what it took to read them.
#[derive(Debug, Default)]
#[expect(clippy::struct_field_names, reason = "`read` is the number of entities read")]
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
        mut size: PageSize<'_>,
    ) -> Result<Self, Problem> {
        let started = Instant::now();
        let mut page = Self::default();
        let mut query = Query::new().read_bytes(READ_BYTES);
        query.filter = filter;
        query.continuation = cursor;
        loop {
            let wanted = page.wanted(size.bytes, most);
            query.top = u32::try_from(wanted).ok();
            let had = page.rows.len();
            let mut take = |row: RowRef<'_>| {
                size.add(row);
                page.rows.push(row.to_row());
                ControlFlow::Continue(())
            };
            let visited = place.tables.visit(table, query.clone(), &mut take).await;
            // Segments of a store in this process are no requests.
            page.requests = if place.is_local() { 1 } else { page.requests + 1 };
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
            let is_short = page.rows.len() < most && page.continuation.is_some();
            page.is_cut = is_short && size.bytes >= PAGE_BYTES;
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

#[cfg(test)]
mod tests {
    use table_model::{Entity, Operation};
    use table_store::Store;

    use super::*;

    /// A place with a partition of `rows` small rows.
    async fn place(rows: u32) -> (Place, TableName) {
        let store = Store::in_memory().unwrap();
        let table: TableName = "Long".parse().unwrap();
        let place = Place::of_store("test", store);
        place.tables.create_table(&table).await.unwrap();
        let mut inserts = Vec::with_capacity(100);
        for row in 0..rows {
            inserts.push(Operation::Insert(
                Entity::new("p", format!("{row:08}")).with("number", row.cast_signed()),
            ));
            if inserts.len() == 100 {
                place.tables.transact(&table, &inserts).await.unwrap();
                inserts.clear();
            }
        }
        (place, table)
    }

    async fn first_page(rows: u32) -> (Read, Duration) {
        let (place, table) = place(rows).await;
        let started = Instant::now();
        let page =
            Read::page(&place, &table, None, None, ROWS, PageSize::new(Vec::new(), false)).await.unwrap();
        (page, started.elapsed())
    }

    #[tokio::test]
    async fn the_first_page_of_a_million_rows_reads_one_page() {
        let (page, _) = first_page(1_000_000).await;
        assert_eq!(page.rows.len(), ROWS);
        assert!(page.read <= 101 && page.continuation.is_some(), "{} entities read", page.read);
    }

    #[tokio::test]
    #[ignore = "writes ten million rows: `cargo xtask nightly slow`"]
    async fn the_first_page_of_ten_million_rows_takes_a_tenth_of_a_second() {
        let (page, took) = first_page(10_000_000).await;
        assert!(page.read <= 101, "{} entities read", page.read);
        assert!(took < Duration::from_millis(100), "{took:?}");
    }

    #[tokio::test]
    async fn a_page_without_matches_is_bounded() {
        let (place, table) = place(40_000).await;
        let filter = Filter::parse("number ge 39999").unwrap();
        let (mut cursor, mut read, mut pages) = (None, 0, 0);
        loop {
            let page = Read::page(
                &place,
                &table,
                Some(filter.clone()),
                cursor,
                ROWS,
                PageSize::new(Vec::new(), false),
            )
            .await
            .unwrap();
            assert!(page.read < MOST_READ + 2_000, "{} entities read", page.read);
            (read, pages, cursor) = (read + page.read, pages + 1, page.continuation);
            if cursor.is_none() {
                assert_eq!((page.rows.len(), read), (1, 40_000));
                return assert!(pages >= 4, "{pages} pages");
            }
        }
    }
}
