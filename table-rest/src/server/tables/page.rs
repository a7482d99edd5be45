//! One page of a query: read in slices, and written as JSON until the response is large enough.

use std::time::{Duration, Instant};

use table_model::{
    Continuation, Plan, Query, QueryClass, Rows, TableError, TableName, TableService,
    limits::SEGMENT_ENTITIES, pauses::Pauses,
};

use crate::{
    auth::KeyRange,
    server::{
        Probe, Refusal,
        observe::Stage,
        share::{Reservation, Share, UNCOUNTED},
    },
    wire::entity::RowWriter,
};

/// Stored bytes that are read in one turn of the account, which takes a few milliseconds.
const SLICE_BYTES: usize = 4 << 20;

/// Stored bytes that are read for a page of a single partition. Such a page is one snapshot, so it is read in one turn. If
/// it has a condition that is checked on each entity, most of what is read may not be returned.
const SNAPSHOT_BYTES: usize = 16 << 20;

/// Size of an entity as JSON for which memory is allocated.
const ROW_BYTES: usize = 448;

/// Time after which a page ends with a continuation token, as in the service.
const PAGE_TIME: Duration = Duration::from_secs(5);

/// A page that is being written.
pub(super) struct Page<'p> {
    tables: &'p dyn TableService,
    table: &'p TableName,
    writer: RowWriter<'p>,
    /// The keys that the credentials of the request permit.
    range: Option<&'p KeyRange>,
    /// The query of the next slice.
    query: Query,
    /// The requested number of entities.
    top: Option<u32>,
    /// `true` if slices may be joined. A page of a single partition is one snapshot.
    is_joined: bool,
    /// Size at which the page ends.
    most_bytes: usize,
    begun: Instant,
    /// Number of entities in the page, before those outside of the permitted keys are removed.
    count: usize,
    is_started: bool,
    probe: &'p Probe,
    content: String,
    /// Token of the page before this one.
    pub(super) previous: Option<Continuation>,
    pub(super) class: QueryClass,
    pub(super) read: u64,
    pub(super) returned: u64,
}

impl<'p> Page<'p> {
    pub(super) fn new(
        tables: &'p dyn TableService,
        table: &'p TableName,
        writer: RowWriter<'p>,
        range: Option<&'p KeyRange>,
        query: Query,
        most_bytes: usize,
        probe: &'p Probe,
    ) -> Self {
        let plan = Plan::of(query.filter.as_ref());
        probe.set_ranges(plan.ranges.len());
        let is_joined = matches!(plan.class, QueryClass::FanOut | QueryClass::FanOutScan)
            || plan.class >= QueryClass::KeyRange;
        let slice = if plan.residual.is_some() && !is_joined { SNAPSHOT_BYTES } else { SLICE_BYTES };
        let mut content = String::new();
        writer.push_list_start(&mut content);
        Self {
            tables,
            table,
            writer,
            range,
            top: query.top,
            query: query.read_bytes(slice),
            class: plan.class,
            is_joined,
            most_bytes,
            begun: Instant::now(),
            count: 0,
            is_started: false,
            probe,
            content,
            previous: None,
            read: 0,
            returned: 0,
        }
    }

    /// Reads the page in turns of the account. The reservation counts its content.
    ///
    /// # Errors
    ///
    /// Returns the errors of the query, or `ServerBusy` if the memory is exhausted.
    pub(super) async fn read_in_turns(&mut self, share: &Share) -> Result<Reservation, Refusal> {
        // The rows of a slice and their JSON.
        let room = self.query.read_bytes.unwrap_or_default().saturating_add(self.most_bytes);
        let mut held = share.nothing();
        loop {
            // Memory is reserved during the turn: a page that waits for its turn holds only what it contains.
            let (is_free, is_complete) = share
                .aside(self.probe.queued(async {
                    if held.try_grow_to(self.content.len().saturating_add(room)) {
                        self.slice().await.map(|is_complete| (true, is_complete))
                    } else {
                        // A page that has begun ends here, with a continuation token.
                        Ok((false, self.is_started))
                    }
                }))
                .await?;
            if is_free || is_complete {
                held.shrink_to(self.content.len());
            } else {
                let memory = held.grow_to(self.content.len().saturating_add(room));
                self.probe.time(Stage::Queue, memory).await?;
            }
            if is_complete {
                return Ok(held);
            }
        }
    }

    /// Reads a slice and writes its entities. Returns `true` if the page is complete.
    pub(super) async fn slice(&mut self) -> Result<bool, TableError> {
        let most = self.top.map_or(SEGMENT_ENTITIES, |top| usize::try_from(top).unwrap_or(usize::MAX));
        if self.is_started {
            self.query.top = Some(u32::try_from(most.saturating_sub(self.count)).unwrap_or(u32::MAX));
        }
        let start = (self.content.len(), self.returned);
        let _reading = self.probe.start(Stage::Read);
        let mut segment = self.tables.query(self.table, self.query.clone()).await?;
        self.read += segment.stats.read;
        let fitting = self.push(&segment.rows, self.most_bytes);
        if fitting < segment.rows.len() {
            // Only the service can create a token for a position inside of the slice.
            self.content.truncate(start.0);
            self.returned = start.1;
            let fitting = Some(u32::try_from(fitting).unwrap_or(u32::MAX));
            segment = self.tables.query(self.table, Query { top: fitting, ..self.query.clone() }).await?;
            self.push(&segment.rows, usize::MAX);
        }
        self.count += segment.rows.len();
        if !self.is_started {
            self.previous = segment.previous;
        }
        self.is_started = true;
        self.query.continuation = segment.continuation;
        Ok(self.query.continuation.is_none()
            || !self.is_joined
            || self.count >= most
            || self.content.len() >= self.most_bytes
            || self.begun.elapsed() >= PAGE_TIME)
    }

    /// Writes rows until the content has `most` bytes. Returns the number of rows that were written or skipped.
    fn push(&mut self, rows: &Rows, most: usize) -> usize {
        self.content.reserve(ROW_BYTES * rows.len());
        let mut pauses = Pauses::default();
        for (at, row) in rows.iter().enumerate() {
            let is_permitted = self.range.is_none_or(|range| match (row.partition_key, row.row_key) {
                (Some(partition_key), Some(row_key)) => range.contains(partition_key, row_key),
                _ => false,
            });
            if !is_permitted {
                continue;
            }
            if self.content.len() >= most && self.returned > 0 {
                return at;
            }
            if self.returned > 0 {
                self.content.push(',');
            }
            let length = self.content.len();
            self.writer.push_listed(&mut self.content, &row);
            self.returned += 1;
            pauses.after(self.content.len() - length);
        }
        rows.len()
    }

    /// Completes the JSON. Returns it with the token of the next page.
    pub(super) fn finish(mut self) -> (String, Option<Continuation>) {
        RowWriter::push_list_end(&mut self.content);
        if self.content.len() > UNCOUNTED {
            self.content.shrink_to_fit();
        }
        (self.content, self.query.continuation)
    }
}
