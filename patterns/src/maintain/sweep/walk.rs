//! Iteration over all rows of some tables, page by page, followed by the blobs of some lists.

use std::time::{Duration, Instant};

use futures_timer::Delay;
use table_model::{Continuation, Filter, Query, Rows, TableName, blob::BlobName};

use super::{ListBlobs, Periods};
use crate::{
    Cursor, Error, Tables,
    core::{
        cursor::{CursorError, Place, RowPlace},
        entity_types::EntityInfo,
        rule::Rule,
        spec::digest,
    },
};

/// Default number of rows per page.
const PAGE: u32 = 200;

/// Progress of a job.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    entity: &'static str,
    tables: Vec<TableName>,
    periods: Option<Unlisted>,
    /// Blobs to process after the tables.
    blobs: Vec<ListBlobs>,
    /// Filter for the rows.
    filter: Option<Filter>,
    /// Properties to read. Empty for all.
    select: &'static [&'static str],
    /// Digest of the job, so that a cursor of another job is rejected.
    digest: u64,
    page: u32,
    /// Number of times that the page size is currently halved.
    halvings: u32,
    per_second: Option<u32>,
    read: u64,
    position: Position,
}

/// Tables that are listed when the walk starts. They are created and deleted in the meantime, so a position is the name of
/// a table, and the digest contains the template.
#[derive(Clone, Debug)]
struct Unlisted {
    periods: Periods,
    /// Tables beside those of the periods.
    others: Vec<TableName>,
    is_listed: bool,
    /// Place at which the walk resumes.
    from: Option<RowPlace>,
}

/// Position among the rows.
#[derive(Clone, Debug, Default)]
struct Position {
    /// Index of the table.
    table: usize,
    /// Key of the last row processed.
    last: Option<(String, String)>,
    /// Key after which the current query starts, and its continuation token.
    behind: Option<(String, String)>,
    token: Option<Continuation>,
}

/// Rows of one table or blobs of one lookup, and the position after them.
#[derive(Debug)]
#[doc(hidden)]
pub struct WalkPage {
    pub(crate) table: TableName,
    pub(crate) rows: Rows,
    /// The lookup that the blobs belong to.
    pub(crate) lookup: Option<Rule>,
    pub(crate) blobs: Vec<BlobName>,
    next: Position,
}

impl Walk {
    /// Creates the iteration for a job on these tables.
    pub(crate) fn new(
        job: &str,
        entity: &'static str,
        mut tables: Vec<TableName>,
        filter: Option<Filter>,
    ) -> Self {
        let mut seen: Vec<String> = Vec::new();
        tables.retain(|table| {
            let folded = table.folded().to_owned();
            let is_new = !seen.contains(&folded);
            seen.push(folded);
            is_new
        });
        let names = tables.iter().map(TableName::folded);
        let digest = digest([job, entity].into_iter().chain(names));
        let (blobs, position) = (Vec::new(), Position::default());
        Self {
            entity,
            tables,
            periods: None,
            blobs,
            filter,
            select: &[],
            digest,
            page: PAGE,
            halvings: 0,
            per_second: None,
            read: 0,
            position,
        }
    }

    /// Creates the iteration for a job on the tables of all periods.
    pub(crate) fn over(job: &str, entity: &'static str, periods: Periods, filter: Option<Filter>) -> Self {
        let digest = digest([job, entity, periods.text()]);
        let periods = Some(Unlisted { periods, others: Vec::new(), is_listed: false, from: None });
        Self { periods, digest, ..Self::new(job, entity, Vec::new(), filter) }
    }

    /// Adds tables to those of the periods.
    pub(crate) fn and(mut self, others: Vec<TableName>) -> Self {
        if let Some(unlisted) = &mut self.periods {
            unlisted.others = others;
        }
        self
    }

    /// Adds the list blobs of all lookups of an entity, in all versions, or of one lookup.
    pub(crate) fn with_blobs(mut self, kind: EntityInfo, only: Option<Rule>) -> Result<Self, Error> {
        self.blobs = ListBlobs::of(kind, only)?;
        Ok(self)
    }

    /// Reads these properties only, which must contain the keys.
    pub(crate) const fn selecting(mut self, names: &'static [&'static str]) -> Self {
        self.select = names;
        self
    }

    pub(crate) fn page_size(&mut self, rows: u32) {
        self.page = rows.clamp(1, 1_000);
    }

    /// Halves the size of the next page.
    pub(crate) fn shrink(&mut self) {
        self.halvings = (self.halvings + 1).min(self.page.ilog2());
    }

    /// Doubles the size of the next page, up to the configured size.
    pub(crate) const fn grow(&mut self) {
        self.halvings = self.halvings.saturating_sub(1);
    }

    /// Returns the maximum number of rows of the next page.
    const fn rows(&self) -> u32 {
        self.page >> self.halvings
    }

    pub(crate) const fn max_rows_per_second(&mut self, per_second: u32) {
        self.per_second = Some(per_second);
    }

    /// Returns the number of rows processed, including the rows before the cursor at which the run resumed.
    pub(crate) const fn read(&self) -> u64 {
        self.read
    }

    /// Resumes at the cursor of a job with the same name on the same tables.
    pub(crate) fn resume(&mut self, cursor: Cursor) -> Result<(), Error> {
        let other = CursorError::OtherQuery { entity: self.entity };
        let Place::Row(place) = cursor.place else { return Err(other.into()) };
        if let Some(unlisted) = self.periods.as_mut().filter(|_| cursor.query == self.digest) {
            (unlisted.is_listed, unlisted.from) = (false, Some(place));
            self.read = cursor.given;
            return Ok(());
        }
        let table = match ListBlobs::place(&self.blobs, &place) {
            Some(at) => Some(self.tables.len() + at),
            None => self.tables.iter().position(|table| *table == place.table),
        };
        let Some(table) = table.filter(|_| cursor.query == self.digest) else { return Err(other.into()) };
        let last = place.behind.then_some((place.partition_key, place.row_key));
        self.position = Position { table, last: last.clone(), behind: last, token: None };
        self.read = cursor.given;
        Ok(())
    }

    /// Returns the cursor, or `None` at the end.
    pub(crate) fn cursor(&self) -> Option<Cursor> {
        if let Some(Unlisted { is_listed: false, from, .. }) = &self.periods {
            let place = Place::Row(from.clone()?);
            return Some(Cursor { query: self.digest, given: self.read, place });
        }
        let behind = self.position.last.is_some();
        let (table, first) = match self.position.table.checked_sub(self.tables.len()) {
            None => (self.tables.get(self.position.table)?.clone(), Default::default()),
            Some(at) => {
                let blobs = self.blobs.get(at)?;
                (blobs.table.clone(), (blobs.prefix(), String::new()))
            }
        };
        let (partition_key, row_key) = self.position.last.clone().unwrap_or(first);
        let place = Place::Row(RowPlace { table, partition_key, row_key, behind });
        Some(Cursor { query: self.digest, given: self.read, place })
    }

    /// Lists the tables of the periods, unless this was done.
    async fn list(&mut self, tables: &Tables) -> Result<(), Error> {
        let Some(unlisted) = self.periods.as_mut().filter(|unlisted| !unlisted.is_listed) else {
            return Ok(());
        };
        self.tables = unlisted.periods.tables(tables).await?;
        self.tables.extend(unlisted.others.iter().cloned());
        self.tables.sort_by(|one, other| one.folded().cmp(other.folded()));
        self.tables.dedup();
        unlisted.is_listed = true;
        self.position = Position::default();
        if let Some(place) = unlisted.from.take() {
            // The table may have been deleted: the next one follows then.
            let is_at = |table: &TableName| table.folded() >= place.table.folded();
            self.position.table = self.tables.iter().position(is_at).unwrap_or(self.tables.len());
            if self.tables.get(self.position.table) == Some(&place.table) && place.behind {
                let last = Some((place.partition_key, place.row_key));
                (self.position.last, self.position.behind) = (last.clone(), last);
            }
        }
        Ok(())
    }

    /// Returns the next page, or `None` at the end. Returns the same page until it is [done](Self::done).
    pub(crate) async fn page(&mut self, tables: &Tables) -> Result<Option<WalkPage>, Error> {
        self.list(tables).await?;
        let mut at = self.position.clone();
        loop {
            let after = Position { table: at.table + 1, ..Position::default() };
            if let Some(blobs) = at.table.checked_sub(self.tables.len()) {
                let Some(blobs) = self.blobs.get(blobs) else { return Ok(None) };
                let behind = at.last.as_ref().map(|(_, name)| name.as_str());
                let names = blobs.behind(tables, behind, self.rows() as usize).await?;
                let Some(last) = names.last() else {
                    at = after;
                    continue;
                };
                let next = Position { last: Some((blobs.prefix(), last.to_string())), ..at };
                let (table, lookup) = (blobs.table.clone(), Some(blobs.lookup));
                return Ok(Some(WalkPage { table, rows: Rows::new(), lookup, blobs: names, next }));
            }
            let Some(table) = self.tables.get(at.table).cloned() else { return Ok(None) };
            let filter = self.filter.iter().cloned().chain(at.behind.clone().map(behind)).reduce(Filter::and);
            let names = || self.select.iter().copied().map(Into::into).collect();
            let query = Query {
                filter,
                select: (!self.select.is_empty()).then(names),
                top: Some(self.rows()),
                continuation: at.token.clone(),
                ..Query::default()
            };
            let found = match tables.service().query(&table, query).await {
                Err(error) if error.is_not_found() => None,
                other => Some(other?),
            };
            let Some(segment) = found else {
                at = after;
                continue;
            };
            let last = segment.rows.len().checked_sub(1).and_then(|last| segment.rows.get(last));
            let last = last.and_then(|row| Some((row.partition_key?.to_owned(), row.row_key?.to_owned())));
            let next = match segment.continuation {
                Some(token) => {
                    Position { last: last.or_else(|| at.last.clone()), token: Some(token), ..at.clone() }
                }
                None => after,
            };
            if segment.rows.is_empty() {
                at = next;
                continue;
            }
            return Ok(Some(WalkPage { table, rows: segment.rows, lookup: None, blobs: Vec::new(), next }));
        }
    }

    /// Continues after a page.
    pub(crate) fn done(&mut self, page: WalkPage) {
        self.read += (page.rows.len() + page.blobs.len()) as u64;
        self.position = page.next;
    }

    /// Skips to the end.
    pub(crate) fn finish(&mut self) {
        self.periods.iter_mut().for_each(|unlisted| unlisted.is_listed = true);
        self.position = Position { table: self.tables.len() + self.blobs.len(), ..Position::default() };
    }

    /// Waits to keep the configured rate for the rows processed since `began`.
    pub(crate) async fn keep_pace(&self, began: Instant, rows: u64) {
        if let Some(per_second) = self.per_second {
            keep_pace(began, rows, per_second).await;
        }
    }
}

/// Waits to keep a rate for the rows processed since `began`.
pub(crate) async fn keep_pace(began: Instant, rows: u64, per_second: u32) {
    let rest = time_of(rows, per_second).saturating_sub(began.elapsed());
    if !rest.is_zero() {
        Delay::new(rest).await;
    }
}

/// Returns the minimum time for a number of rows.
fn time_of(rows: u64, per_second: u32) -> Duration {
    let micros = rows.saturating_mul(1_000_000) / u64::from(per_second.max(1));
    // Limits the wait between two pages.
    Duration::from_micros(micros).min(Duration::from_secs(3_600))
}

/// Returns the filter for the rows after a key.
fn behind((partition_key, row_key): (String, String)) -> Filter {
    let in_it = Filter::eq("PartitionKey", partition_key.clone()).and(Filter::gt("RowKey", row_key));
    in_it.or(Filter::gt("PartitionKey", partition_key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(job: &str) -> Walk {
        let table = |name| TableName::new(name).unwrap();
        Walk::new(job, "Employee", vec![table("Employees"), table("EMPLOYEES"), table("ByAge")], None)
    }

    #[test]
    fn rows_take_their_time_at_the_rate() {
        assert_eq!(time_of(200, 1_000), Duration::from_millis(200));
        assert_eq!(time_of(1, 3), Duration::from_micros(333_333));
        assert_eq!(time_of(0, 5), Duration::ZERO);
        assert_eq!(time_of(u64::MAX, 0), Duration::from_secs(3_600));
    }

    #[test]
    fn pages_are_halved_and_doubled_up_to_the_configured_size() {
        let mut walk = walk("verify");
        walk.page_size(100);
        let mut sizes = Vec::new();
        for change in [Walk::shrink as fn(&mut Walk), Walk::shrink, Walk::grow, Walk::grow, Walk::grow] {
            change(&mut walk);
            sizes.push(walk.rows());
        }
        assert_eq!(sizes, [50, 25, 50, 100, 100]);
        (0..9).for_each(|_| walk.shrink());
        assert_eq!(walk.rows(), 1);
    }

    #[test]
    fn a_table_is_gone_through_once_under_whatever_case() {
        assert_eq!(walk("verify").tables.len(), 2);
    }

    #[test]
    fn a_cursor_goes_on_in_its_job_only() {
        let mut walk = walk("verify");
        let last = Some(("Sales".to_owned(), "empid_000007".to_owned()));
        walk.position = Position { table: 1, last: last.clone(), behind: None, token: None };
        walk.read = 7;
        let cursor: Cursor = walk.cursor().unwrap().to_string().parse().unwrap();
        let mut resumed = self::walk("verify");
        resumed.resume(cursor.clone()).unwrap();
        assert_eq!((resumed.position.table, &resumed.position.behind, resumed.read), (1, &last, 7));
        assert!(self::walk("upgrade").resume(cursor).is_err());
        walk.finish();
        assert_eq!(walk.cursor(), None);
    }
}
