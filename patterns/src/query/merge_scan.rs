//! Merge of several partitions or tables into one ordered run of rows.

use std::{cmp::Ordering, collections::VecDeque, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{
    Continuation, ErrorCode, Filter, Name, Query, RowRef, Rows, Segment, TableName, TableService,
    key::compare,
};

use super::{RunStats, batch::Batch};
use crate::{
    Error,
    core::{
        cursor::{Place, RowPlace},
        error::OrderError,
        spec::spread::{Order, Spread, TableSet, listing},
    },
};

/// Maximum number of concurrent requests.
const AT_ONCE: usize = 4;

/// The lanes of a run, one for each partition of each table. Tables or partitions that are read sequentially are opened
/// one after the other.
#[derive(Debug)]
pub(super) struct Lanes {
    spread: Spread,
    /// Conditions on the rows besides their keys.
    rest: Option<Filter>,
    /// Row at which the run resumes.
    from: Option<RowPlace>,
    /// Groups of places that have not been opened yet; the places of a group are read together. `None` before the run
    /// starts.
    waiting: Option<VecDeque<Vec<LanePlace>>>,
    open: Vec<Lane>,
    /// Last row that was returned.
    last: Option<RowPlace>,
}

/// A table, and the PartitionKey of a partition unless the complete table is read.
type LanePlace = (TableName, Option<String>);

/// Reader of one partition or one table.
#[derive(Debug)]
struct Lane {
    table: TableName,
    filter: Option<Filter>,
    rows: Arc<Rows>,
    /// Index of the first row that was not returned.
    at: usize,
    next: Next,
}

/// Next request of a lane.
#[derive(Clone, Debug)]
enum Next {
    Start,
    After(Continuation),
    Nothing,
}

impl Lanes {
    pub(super) fn new(spread: Spread, rest: Option<Filter>, from: Option<RowPlace>) -> Self {
        Self { spread, rest, last: from.clone(), from, waiting: None, open: Vec::new() }
    }

    /// Returns the position of the run, or `None` at the end.
    pub(super) fn place(&self) -> Option<Place> {
        let is_done =
            self.waiting.as_ref().is_some_and(VecDeque::is_empty) && self.open.iter().all(Lane::is_done);
        (!is_done).then(|| self.last.clone().map_or(Place::Start, Place::Row))
    }

    /// Returns the next rows in order. The result is empty only at the end: lanes without rows are read to their end,
    /// because the position of a run is a row.
    pub(super) async fn rows(
        &mut self,
        service: &dyn TableService,
        select: Option<&[Name]>,
        size: u32,
        stats: &mut RunStats,
    ) -> Result<Batch, Error> {
        let mut waiting = match self.waiting.take() {
            Some(waiting) => waiting,
            None => self.places(service, stats).await?,
        };
        loop {
            self.fill(service, select, size, stats).await?;
            self.open.retain(|lane| !lane.is_done());
            if !self.open.is_empty() {
                break;
            }
            let Some(places) = waiting.pop_front() else { break };
            self.open = places.into_iter().map(|(table, key)| self.lane(table, key.as_deref())).collect();
            stats.ranges += self.open.len();
        }
        self.waiting = Some(waiting);
        Ok(self.merged())
    }

    /// Sends requests for the lanes without buffered rows, until each lane has a row or is at its end.
    async fn fill(
        &mut self,
        service: &dyn TableService,
        select: Option<&[Name]>,
        size: u32,
        stats: &mut RunStats,
    ) -> Result<(), Error> {
        let rest = self.rest.as_ref();
        let descending = self.spread.descending;
        let fills = self.open.iter_mut().map(|lane| lane.fill(service, rest, select, size, descending));
        // Collect the futures, so that they need not be proven `Send` for every lifetime of the closure.
        let fills: Vec<_> = fills.collect();
        let mut filled = stream::iter(fills).buffer_unordered(AT_ONCE);
        while let Some((requests, read)) = filled.try_next().await? {
            stats.requests += requests;
            stats.read += read;
        }
        Ok(())
    }

    /// Merges rows until a lane without buffered rows may have more rows on the server.
    fn merged(&mut self) -> Batch {
        let mut order = Vec::new();
        while !self.open.iter().any(|lane| lane.peek().is_none() && !lane.is_done()) {
            let heads = self.open.iter().enumerate().filter_map(|(at, lane)| Some((at, lane.peek()?)));
            let first = heads.min_by(|(a, left), (b, right)| {
                let order = sort(*left, *right).then_with(|| self.tie(*a, *b));
                if self.spread.descending { order.reverse() } else { order }
            });
            let Some((first, _)) = first else { break };
            if let Some(lane) = self.open.get_mut(first) {
                order.push((first, lane.at));
                lane.at += 1;
            }
        }
        if let Some((lane, row)) = order.last().and_then(|(lane, at)| {
            let lane = self.open.get(*lane)?;
            Some((lane, lane.rows.get(*at)?))
        }) {
            self.last = place_of(&lane.table, row, true);
        }
        let parts = self.open.iter().map(|lane| (lane.table.clone(), Arc::clone(&lane.rows))).collect();
        Batch::ordered(parts, order)
    }

    fn tie(&self, left: usize, right: usize) -> Ordering {
        let table = |at: usize| self.open.get(at).map(|lane| lane.table.folded());
        table(left).cmp(&table(right))
    }

    /// Returns the places in the order in which they are read, from the position of a resumed run on.
    async fn places(
        &self,
        service: &dyn TableService,
        stats: &mut RunStats,
    ) -> Result<VecDeque<Vec<LanePlace>>, Error> {
        if self.spread.is_nowhere() {
            return Ok(VecDeque::new());
        }
        let mut tables = match &self.spread.tables {
            TableSet::Named(names) => names.clone(),
            TableSet::Listed(_, range) => {
                let (mut tables, requests) = list(service, listing(range)).await?;
                stats.requests += requests;
                tables.retain(|table| self.spread.tables.holds(table));
                tables
            }
        };
        tables.sort_by(|left, right| left.folded().cmp(right.folded()));
        let of_table = |table: TableName| match &self.spread.partitions {
            None => vec![(table, None)],
            Some(partitions) => partitions.iter().map(|key| (table.clone(), Some(key.clone()))).collect(),
        };
        let order = self.spread.order_of_places();
        let mut groups: VecDeque<Vec<LanePlace>> = match order {
            Order::Merged => VecDeque::from([tables.into_iter().flat_map(of_table).collect()]),
            _ if self.spread.is_by_partition => {
                tables.into_iter().flat_map(of_table).map(|place| vec![place]).collect()
            }
            _ => tables.into_iter().map(of_table).collect(),
        };
        if order == Order::Descending {
            groups.make_contiguous().reverse();
        }
        if let (Some(row), true) = (&self.from, order != Order::Merged) {
            let is_of_row = |group: &Vec<LanePlace>| {
                group.iter().any(|(_, key)| key.as_ref() == Some(&row.partition_key))
            };
            let is_before = |table: &TableName| match order {
                Order::Ascending => table.folded() < row.table.folded(),
                _ => table.folded() > row.table.folded(),
            };
            if self.spread.is_by_partition {
                groups.drain(..groups.iter().position(is_of_row).unwrap_or_default());
            } else {
                groups.retain(|group| !group.iter().any(|(table, _)| is_before(table)));
            }
        }
        Ok(groups)
    }

    /// Returns the lane of a place. When a run resumes, it starts at its position.
    fn lane(&self, table: TableName, partition_key: Option<&str>) -> Lane {
        let is_there = |row: &&RowPlace| {
            self.spread.order == Order::Merged
                || row.table == table
                    && (!self.spread.is_by_partition || partition_key == Some(row.partition_key.as_str()))
        };
        let filter = match self.from.as_ref().filter(is_there) {
            None => self.spread.filter(partition_key),
            Some(row) => Some({
                let place = partition_key.unwrap_or(&row.partition_key);
                let there =
                    compare(place, &row.partition_key).then_with(|| table.folded().cmp(row.table.folded()));
                // Several rows can have the same RowKey only if another program wrote them. They are ordered by
                // partition, then by table.
                let there = if self.spread.descending { there.reverse() } else { there };
                let behind = there.is_lt() || there.is_eq() && row.behind;
                self.spread.filter_from(partition_key, row, behind)
            }),
        };
        Lane { table, filter, rows: Arc::default(), at: 0, next: Next::Start }
    }
}

impl Lane {
    fn peek(&self) -> Option<RowRef<'_>> {
        self.rows.get(self.at)
    }

    fn is_done(&self) -> bool {
        matches!(self.next, Next::Nothing) && self.at >= self.rows.len()
    }

    /// Sends requests until rows are buffered or the lane is at its end. Returns the number of requests and of entities
    /// that the service read.
    async fn fill(
        &mut self,
        service: &dyn TableService,
        rest: Option<&Filter>,
        select: Option<&[Name]>,
        size: u32,
        descending: bool,
    ) -> Result<(u64, u64), Error> {
        let (mut requests, mut read) = (0, 0);
        while self.at >= self.rows.len() {
            let continuation = match std::mem::replace(&mut self.next, Next::Nothing) {
                Next::Start => None,
                Next::After(token) => Some(token),
                Next::Nothing => break,
            };
            let query = Query {
                filter: self.filter.iter().chain(rest).cloned().reduce(Filter::and),
                select: select.map(<[Name]>::to_vec),
                top: Some(size),
                continuation,
                descending,
                ..Query::default()
            };
            requests += 1;
            let Segment { rows, continuation, stats, .. } = match service.query(&self.table, query).await {
                // The table does not exist yet or was deleted, so it has no rows.
                Err(error) if error.code() == ErrorCode::TableNotFound => break,
                other => other.map_err(|error| OrderError::of_query(service, descending, error))?,
            };
            read += stats.read;
            (self.rows, self.at) = (Arc::new(rows), 0);
            self.next = continuation.map_or(Next::Nothing, Next::After);
        }
        Ok((requests, read))
    }
}

/// Returns the position of a row.
pub(super) fn place_of(table: &TableName, row: RowRef<'_>, behind: bool) -> Option<RowPlace> {
    Some(RowPlace {
        table: table.clone(),
        partition_key: row.partition_key?.to_owned(),
        row_key: row.row_key?.to_owned(),
        behind,
    })
}

/// Compares rows by RowKey, then by PartitionKey.
fn sort(left: RowRef<'_>, right: RowRef<'_>) -> Ordering {
    let text =
        |key: Option<&str>, other: Option<&str>| compare(key.unwrap_or_default(), other.unwrap_or_default());
    text(left.row_key, right.row_key).then_with(|| text(left.partition_key, right.partition_key))
}

/// Returns all table names of a listing and the number of requests.
pub(crate) async fn list(
    service: &dyn TableService,
    mut request: table_model::service::ListTables,
) -> Result<(Vec<TableName>, u64), Error> {
    let (mut tables, mut requests) = (Vec::new(), 0);
    loop {
        let segment = service.list_tables(request.clone()).await?;
        requests += 1;
        tables.extend(segment.tables);
        match segment.continuation {
            Some(token) => request = request.continuation(token),
            None => return Ok((tables, requests)),
        }
    }
}
