//! The table service trait, implemented by the embedded store and by the REST client.

use std::{future::Future, ops::ControlFlow, pin::Pin};

use crate::{
    Continuation, ETag, ErrorCode, Name, Operation, Query, Result, Row, RowRef, Rows, Segment, SegmentStats,
    TableName, Written,
    limits::{KeyLength, TRANSACTION_BYTES},
};

pub use crate::outbox::{OutboxKind, OutboxRow};

/// Boxed future returned by every service call. Boxing keeps the traits object-safe and the type nameable.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Function that receives the rows of a segment. `Break` ends the segment.
pub type VisitRow<'v> = &'v mut (dyn FnMut(RowRef<'_>) -> ControlFlow<()> + Send);

/// Result of [`TableService::visit`].
#[derive(Clone, Debug)]
pub struct VisitedSegment {
    /// Token of the next segment; `None` at the end, and after `Break`.
    pub continuation: Option<Continuation>,
    /// Token of the opposite order; see [`Segment::previous`].
    pub previous: Option<Continuation>,
    /// Cost of the segment.
    pub stats: SegmentStats,
}

/// The table service: tables, entities, transactions and queries.
///
/// A future does nothing until it is first polled. From then on a write is atomic: it is applied completely or not at
/// all, even if the future is dropped before it completes.
///
/// ```
/// use table_model::{Entity, Operation, Result, TableName, TableService};
///
/// /// Works with every backend.
/// async fn hire(service: &dyn TableService, table: &TableName, name: &str) -> Result<bool> {
///     let employee = Entity::new("Sales", name).with("Level", 1);
///     service.execute(table, &Operation::InsertOrReplace(employee)).await?;
///     Ok(service.get(table, "Sales", name, None).await?.is_some())
/// }
/// ```
pub trait TableService: Send + Sync + std::fmt::Debug {
    /// Returns the capabilities of this backend.
    fn capabilities(&self) -> &Capabilities;

    /// Creates a table.
    ///
    /// # Errors
    /// `TableAlreadyExists` if the table exists, `TableBeingDeleted` while the service reserves the name of a deleted
    /// table.
    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()>;

    /// Deletes a table with all its entities, in one step regardless of its size (`G-ENT-5`).
    ///
    /// # Errors
    /// `ResourceNotFound` if the table does not exist.
    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()>;

    /// Lists tables in case-insensitive name order.
    ///
    /// # Errors
    /// `InvalidInput` if the filter, the segment size or the continuation token is invalid.
    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment>;

    /// Reads an entity by its keys. Returns no rows if it does not exist. `select` works as in [`Query::select`].
    ///
    /// # Errors
    /// `TableNotFound` if the table does not exist, `InvalidInput` if `select` has too many names, or a key error as in
    /// [`key::check_both`](crate::key::check_both).
    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows>;

    /// Reads an entity by its keys like [`find`](Self::find), decoded. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// As [`find`](Self::find).
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

    /// Reads one segment of a query.
    ///
    /// # Errors
    /// `TableNotFound` if the table does not exist, `InvalidInput` if the filter, the selection, the segment size or
    /// the continuation token is invalid, `NotImplemented` if the order is not [supported](Capabilities::reads_backward).
    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment>;

    /// Reads one segment like [`query`](Self::query), and passes its rows to `visit` in order, until `visit` breaks. A
    /// row is valid during the call only. The embedded store reads rows in place; other backends decode a response.
    ///
    /// Rows can contain properties that the query does not select. During the call, the backend holds a snapshot, so
    /// `visit` should not wait. If the segment fails, `visit` may have received some of its rows.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use table_model::{Query, Result, RowRef, TableName, TableService, ValueRef};
    ///
    /// /// Works with every backend.
    /// async fn total(service: &dyn TableService, table: &TableName) -> Result<i32> {
    ///     let mut total = 0;
    ///     let mut next = Some(Query::new());
    ///     while let Some(query) = next {
    ///         let mut visit = |row: RowRef<'_>| {
    ///             if let Some(ValueRef::Int32(level)) = row.properties.get("Level") {
    ///                 total += level;
    ///             }
    ///             ControlFlow::Continue(())
    ///         };
    ///         let segment = service.visit(table, query.clone(), &mut visit).await?;
    ///         next = segment.continuation.map(|token| query.continuation(token));
    ///     }
    ///     Ok(total)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`query`](Self::query).
    fn visit<'a>(
        &'a self,
        table: &'a TableName,
        query: Query,
        visit: VisitRow<'a>,
    ) -> Pending<'a, VisitedSegment> {
        let segment = self.query(table, query);
        Box::pin(async move {
            let Segment { rows, continuation, previous, stats } = segment.await?;
            let flow = rows.iter().try_for_each(visit);
            Ok(VisitedSegment { continuation: continuation.filter(|_| flow.is_continue()), previous, stats })
        })
    }

    /// Executes one write.
    ///
    /// # Errors
    /// `TableNotFound` if the table does not exist. `EntityAlreadyExists`, `ResourceNotFound` or
    /// `UpdateConditionNotSatisfied` if the stored entity does not allow the operation. A validation error as in
    /// [`Operation::check`] if the operation is invalid.
    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written>;

    /// Executes several writes to one partition atomically (`G-EGT-1`).
    ///
    /// # Errors
    /// As [`execute`](Self::execute) and [`Operation::check_transaction`]. The error contains the index of the failed
    /// operation.
    fn transact<'a>(&'a self, table: &'a TableName, operations: &'a [Operation])
    -> Pending<'a, Vec<Written>>;

    /// Waits until a version of an entity that was read is as durable as an acknowledged write. Returns `false` if the entity no
    /// longer has this version. The default returns `true`: most backends only return durable versions. PostgreSQL also returns
    /// commits that its synchronous standby does not have yet, and that a failover loses.
    ///
    /// # Errors
    /// `TableNotFound` if the table does not exist. Any error means that the version may get lost.
    fn confirm<'a>(
        &'a self,
        _table: &'a TableName,
        _partition_key: &'a str,
        _row_key: &'a str,
        _version: &'a ETag,
    ) -> Pending<'a, bool> {
        Box::pin(async { Ok(true) })
    }

    /// Lists rows of all tables that contain unapplied commit records, selected by a RowKey prefix: at most `most`
    /// rows, starting after the given row.
    ///
    /// # Errors
    /// `NotImplemented` if the backend does not support it; see [`Capabilities::marks`].
    fn list_outbox<'a>(
        &'a self,
        _which: OutboxKind,
        _after: Option<&'a OutboxRow>,
        _most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        Box::pin(async { Err(ErrorCode::NotImplemented.into()) })
    }
}

/// Request to list tables.
///
/// ```
/// use table_model::{Filter, service::ListTables};
///
/// let request = ListTables::new().filter(Filter::parse("TableName ge 'e' and TableName lt 'f'")?).top(100);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ListTables {
    /// Filter on `TableName`. `None` lists all tables.
    pub filter: Option<crate::Filter>,
    /// Maximum number of names per segment, 0 to 1,000. Defaults to 1,000.
    pub top: Option<u32>,
    /// Continuation token of the previous segment.
    pub continuation: Option<Continuation>,
}

impl ListTables {
    /// Creates a request for all tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts the listing to tables whose `TableName` matches.
    #[must_use]
    pub fn filter(mut self, filter: crate::Filter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Limits a segment to `count` names.
    #[must_use]
    pub fn top(mut self, count: u32) -> Self {
        self.top = Some(count);
        self
    }

    /// Continues after a previous segment of the same listing.
    #[must_use]
    pub fn continuation(mut self, token: Continuation) -> Self {
        self.continuation = Some(token);
        self
    }
}

/// One segment of a table listing.
#[derive(Clone, Debug)]
pub struct TablesSegment {
    /// Table names in the case in which they were created.
    pub tables: Vec<TableName>,
    /// Token of the next segment; `None` at the end.
    pub continuation: Option<Continuation>,
}

/// Capabilities of a backend. Callers check these instead of the backend's identity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent capability of a backend")]
pub struct Capabilities {
    /// Display name of the backend, such as `embedded`.
    pub name: &'static str,
    /// Maximum key length.
    pub key_length: KeyLength,
    /// Timestamp resolution in ticks of 100 ns: 1 for the embedded store and for Azure.
    pub timestamp_ticks: u32,
    /// Any filter is served from the smallest set of key ranges. On other backends an `or` over keys is a scan
    /// (`G-QRY-2`).
    pub plans_ranges: bool,
    /// [`SegmentStats`] are measured instead of estimated.
    pub measures_reads: bool,
    /// Writes are executed in the order in which their futures are first polled, so a client can have several writes to
    /// one partition in flight.
    pub keeps_order: bool,
    /// The backend lists unapplied commit records ([`TableService::list_outbox`]), so workers do not have to scan for
    /// them.
    pub marks: bool,
    /// An ETag never repeats for another state of its entity, not even after a delete and an insert. With coarse
    /// timestamps, two writes within one timestamp step can have the same ETag.
    pub etags_never_repeat: bool,
    /// Query results are in key order.
    pub sorts_by_key: bool,
    /// Queries in descending order ([`Query::descending`]) are supported, at the cost of ascending ones. The protocol of the
    /// service has no such request; our server has an extension for it. A client of a server that it does not know yet sets
    /// this, and rejects the query with `NotImplemented` if the response does not confirm its order.
    pub reads_backward: bool,
    /// Size in bytes at which a transaction is rejected as too large.
    pub transaction_bytes: usize,
    /// Queues are supported.
    pub has_queues: bool,
    /// Blobs are supported.
    pub has_blobs: bool,
}

impl Capabilities {
    /// Returns the capabilities of the embedded store.
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
            reads_backward: true,
            transaction_bytes: TRANSACTION_BYTES,
            has_queues: true,
            has_blobs: true,
        }
    }

    /// Returns the capabilities of Azure storage accounts.
    #[must_use]
    pub const fn azure() -> Self {
        Self {
            name: "azure",
            plans_ranges: false,
            measures_reads: false,
            keeps_order: false,
            marks: false,
            reads_backward: false,
            ..Self::embedded()
        }
    }

    /// Returns the capabilities of the embedded store behind the REST protocol, without the features that the protocol
    /// cannot express.
    #[must_use]
    pub const fn server() -> Self {
        Self { name: "server", plans_ranges: true, reads_backward: true, ..Self::azure() }
    }

    /// Returns the capabilities of Azurite, the emulator from npm. Its timestamps are in milliseconds, so an ETag can
    /// repeat within one millisecond.
    #[must_use]
    pub const fn azurite() -> Self {
        Self { name: "azurite", timestamp_ticks: 10_000, etags_never_repeat: false, ..Self::azure() }
    }

    /// Returns the capabilities of `table-postgres`. Writes of one client may be executed in another order.
    #[must_use]
    pub const fn postgres() -> Self {
        Self { name: "postgres", keeps_order: false, ..Self::embedded() }
    }

    /// Returns the capabilities of the Table API of Cosmos DB: tables only. Its timestamps are in seconds, and its rows
    /// are unordered.
    #[must_use]
    pub const fn cosmos() -> Self {
        Self {
            name: "cosmos",
            timestamp_ticks: 10_000_000,
            sorts_by_key: false,
            transaction_bytes: 2 << 20,
            has_blobs: false,
            ..Self::azure()
        }
    }
}
