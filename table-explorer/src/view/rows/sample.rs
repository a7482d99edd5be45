//! The first rows that a query reads, from which its cost is estimated.

use std::time::{Duration, Instant};

use table_model::{Filter, Query, Row, TableName};

use crate::Place;

/// Maximum number of entities that a sample reads, about: a segment ends after `READ_BYTES`.
const MOST_READ: u64 = 256;
/// Time after which a sample ends.
const MOST_TIME: Duration = Duration::from_millis(5);
/// Stored size in bytes of the entities that a request reads.
const READ_BYTES: usize = 16 << 10;

/// What has been read of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) read: u64,
    pub(super) returned: u64,
    /// Size in bytes of the returned entities.
    pub(super) bytes: u64,
    /// The query returns nothing else.
    pub(super) is_whole: bool,
}

impl Sample {
    /// Counts rows.
    pub(super) fn of(rows: &[Row], read: u64, is_whole: bool) -> Self {
        let bytes = rows.iter().map(crate::view::entity::size).sum();
        Self { read, returned: rows.len() as u64, bytes, is_whole }
    }
}

/// Reads the first rows of a query, if the store is in this process. Returns `None` if it is not, or if it fails.
pub(super) async fn first(
    place: &Place,
    table: &TableName,
    filter: Option<Filter>,
) -> Option<(Vec<Row>, Sample)> {
    if !place.is_local() {
        return None;
    }
    let started = Instant::now();
    let (mut rows, mut read) = (Vec::new(), 0);
    let mut query = Query::new().read_bytes(READ_BYTES);
    query.filter = filter;
    loop {
        query.top = u32::try_from(MOST_READ.saturating_sub(read)).ok();
        let segment = place.tables.query(table, query.clone()).await.ok()?;
        read += segment.stats.read;
        rows.extend(segment.rows);
        let is_over = read >= MOST_READ || started.elapsed() >= MOST_TIME;
        match segment.continuation {
            Some(token) if !is_over => query.continuation = Some(token),
            rest => {
                let sample = Sample::of(&rows, read, rest.is_none());
                return Some((rows, sample));
            }
        }
    }
}
