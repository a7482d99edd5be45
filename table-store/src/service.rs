//! The table service as a trait: implemented by the embedded store and by the REST client.

use std::{future::Future, pin::Pin};

use crate::{
    Continuation, ErrorCode, Name, Operation, Query, Result, Row, Rows, Segment, TableName, Written,
    limits::{KeyLength, TRANSACTION_BYTES},
};

/// The one future type of every service call: boxed, so that the trait is object-safe and the type can be named.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Tables, entities, transactions and queries.
///
/// A future does nothing until it is polled first; from then on a write is done whole or not at all, also if the
/// future is dropped before it ends.
///
/// ```
/// use table_store::{Entity, Operation, Result, TableName, TableService};
///
/// /// Works with every backend.
/// async fn hire(service: &dyn TableService, table: &TableName, name: &str) -> Result<bool> {
///     let employee = Entity::new("Sales", name).with("Level", 1);
///     service.execute(table, &Operation::InsertOrReplace(employee)).await?;
///     Ok(service.get(table, "Sales", name, None).await?.is_some())
/// }
/// ```
pub trait TableService: Send + Sync + std::fmt::Debug {
    /// What this backend can do.
    fn capabilities(&self) -> &Capabilities;

    /// Creates a table. `TableAlreadyExists`, or `TableBeingDeleted` while one of that name is being swept.
    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()>;

    /// Deletes a table with all its entities, in one step whatever it holds (`G-ENT-5`). `ResourceNotFound` if there
    /// is none.
    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()>;

    /// Tables in the order of their names, without regard to case.
    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment>;

    /// One entity by its keys: one row, or none if it is not there; `TableNotFound` if its table is not. `select` as
    /// in [`Query::select`].
    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows>;

    /// [`find`](Self::find), decoded.
    fn get<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Option<Row>> {
        let found = self.find(table, partition_key, row_key, select);
        Box::pin(async move { Ok(found.await?.into_iter().next()) })
    }

    /// One segment of a query.
    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment>;

    /// One write.
    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written>;

    /// Several writes to one partition, all or none (`G-EGT-1`). The error names the operation at fault by its index.
    fn transact<'a>(&'a self, table: &'a TableName, operations: &'a [Operation])
    -> Pending<'a, Vec<Written>>;

    /// Rows of all tables that commits have left for others to follow, by the beginning of their keys, at most `most`, behind one of
    /// them. Only where [`Capabilities::marks`] says so; elsewhere `NotImplemented`.
    fn marked<'a>(
        &'a self,
        _which: Marked,
        _after: Option<&'a MarkedRow>,
        _most: usize,
    ) -> Pending<'a, Vec<MarkedRow>> {
        Box::pin(async { Err(ErrorCode::NotImplemented.into()) })
    }
}

/// Which rows [`TableService::marked`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marked {
    /// Records of commits that have not been followed yet: those whose RowKey begins with `!o_`, but for markers of attempts
    /// that were aborted, whose `_k` is `a`.
    Commits,
    /// Records that were parked: those whose RowKey begins with `!x_`.
    Parked,
}

/// A row that [`TableService::marked`] lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MarkedRow {
    /// Its table.
    pub table: TableName,
    /// Its PartitionKey.
    pub partition_key: String,
    /// Its RowKey.
    pub row_key: String,
}

/// Which tables to list.
///
/// ```
/// use table_store::{Filter, service::ListTables};
///
/// let request = ListTables::new().filter(Filter::parse("TableName ge 'e' and TableName lt 'f'")?).top(100);
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ListTables {
    /// A filter on `TableName`; none for all.
    pub filter: Option<crate::Filter>,
    /// Most names of a segment, 0 to 1,000; none for 1,000.
    pub top: Option<u32>,
    /// Where the last segment ended.
    pub continuation: Option<Continuation>,
}

impl ListTables {
    /// All tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only tables whose `TableName` matches.
    #[must_use]
    pub fn filter(mut self, filter: crate::Filter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// At most `count` names in a segment.
    #[must_use]
    pub fn top(mut self, count: u32) -> Self {
        self.top = Some(count);
        self
    }

    /// Goes on where a segment of the same listing ended.
    #[must_use]
    pub fn continuation(mut self, token: Continuation) -> Self {
        self.continuation = Some(token);
        self
    }
}

/// One response of a table listing.
#[derive(Clone, Debug)]
pub struct TablesSegment {
    /// Names as they were created.
    pub tables: Vec<TableName>,
    /// Where to go on; none at the end.
    pub continuation: Option<Continuation>,
}

/// What a backend can do, as data: callers ask this, never which backend it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is something that a backend can do or cannot")]
pub struct Capabilities {
    /// The backend's name for people: `embedded`.
    pub name: &'static str,
    /// How long its keys may be.
    pub key_length: KeyLength,
    /// The step of its timestamps in ticks of 100 ns: 1 here and on Azure.
    pub timestamp_ticks: u32,
    /// Whether any filter is served from the fewest key ranges; elsewhere an `or` over keys is a scan (`G-QRY-2`).
    pub plans_ranges: bool,
    /// Whether [`SegmentStats`](crate::SegmentStats) are measured here rather than assumed.
    pub measures_reads: bool,
    /// Whether writes are done in the order in which their futures are first polled, so that many can be under way for
    /// one partition.
    pub keeps_order: bool,
    /// Whether it lists the rows that commits have left for others to follow ([`TableService::marked`]), so that nobody
    /// has to look for them.
    pub marks: bool,
    /// Whether an ETag never comes back for another state of its entity, not even after a delete and an insert. Where
    /// timestamps are coarse, two writes of one step can have one ETag.
    pub etags_never_repeat: bool,
    /// Whether the rows of a query come in the order of their keys.
    pub sorts_by_key: bool,
    /// Bytes at which one transaction is too large.
    pub transaction_bytes: usize,
    /// Whether queues come with it.
    pub has_queues: bool,
    /// Whether blobs come with it.
    pub has_blobs: bool,
}

impl Capabilities {
    /// The embedded store's.
    #[must_use]
    pub const fn embedded() -> Self {
        Self {
            name: "embedded",
            key_length: KeyLength::Strict,
            timestamp_ticks: 1,
            plans_ranges: true,
            measures_reads: true,
            keeps_order: true,
            marks: true,
            etags_never_repeat: true,
            sorts_by_key: true,
            transaction_bytes: TRANSACTION_BYTES,
            has_queues: true,
            has_blobs: true,
        }
    }

    /// Azure's storage accounts.
    #[must_use]
    pub const fn azure() -> Self {
        Self {
            name: "azure",
            plans_ranges: false,
            measures_reads: false,
            keeps_order: false,
            marks: false,
            ..Self::embedded()
        }
    }

    /// The embedded store behind the protocol: what the protocol has no words for is missing.
    #[must_use]
    pub const fn server() -> Self {
        Self { name: "server", plans_ranges: true, ..Self::azure() }
    }

    /// Azurite, the emulator from npm. Its timestamps are in milliseconds, so an ETag can come back within one.
    #[must_use]
    pub const fn azurite() -> Self {
        Self { name: "azurite", timestamp_ticks: 10_000, etags_never_repeat: false, ..Self::azure() }
    }

    /// Cosmos DB's table API: tables only. Its timestamps are in seconds, and its rows come in no order.
    #[must_use]
    pub const fn cosmos() -> Self {
        Self {
            name: "cosmos",
            timestamp_ticks: 10_000_000,
            sorts_by_key: false,
            transaction_bytes: 2 << 20,
            has_queues: false,
            has_blobs: false,
            ..Self::azure()
        }
    }
}
