//! The requests of the explorer itself, measured on their way to the service.

mod request;

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use table_explorer::{Distribution, HeatSpan, HeatStep, Observed, SlowRequest, Totals, TotalsAt};
use table_rest::server::SlowRequests;
use table_store::{
    Capabilities, ETag, ErrorCode, Name, Operation, Pending, Query, Result, RowRef, Rows, Segment,
    TableError, TableName, TableService, Timestamp, Written,
    outbox::{OutboxKind, OutboxRow},
    service::{ListTables, TablesSegment, VisitRow, VisitedSegment},
};

use self::request::{Request, Used};
use crate::serve::metrics::{BOUNDS, HotKeys, HotPartitions, Samples};

/// A service, and the load of the requests to it. Lists of tables and follow-ups are not counted, since every page sends
/// them.
pub(super) struct OwnRequests {
    service: Arc<dyn TableService>,
    account: String,
    hot: Option<HotPartitions>,
    samples: Samples,
    totals: Mutex<Totals>,
    requests: SlowRequests,
    number: AtomicU64,
}

impl OwnRequests {
    pub(super) fn of(service: Arc<dyn TableService>, account: &str) -> Arc<Self> {
        let latency = Distribution::with_bounds(BOUNDS.map(u64::from));
        Arc::new(Self {
            service,
            account: account.to_owned(),
            hot: HotPartitions::of(HotKeys::Off, true),
            samples: Samples::start(),
            totals: Mutex::new(Totals { latency, ..Totals::default() }),
            requests: SlowRequests::default(),
            number: AtomicU64::new(0),
        })
    }

    /// Executes a request, and counts it. `used` returns what it read.
    async fn count<T>(
        &self,
        request: Request<'_>,
        pending: Pending<'_, T>,
        used: impl FnOnce(&T, &Request<'_>) -> Used,
    ) -> Result<T> {
        let begun = Instant::now();
        let result = pending.await;
        let used = result.as_ref().map(|result| used(result, &request)).unwrap_or_default();
        self.note(&request, begun, result.as_ref().err(), &used);
        result
    }

    /// Counts a request that has ended.
    fn note(&self, request: &Request<'_>, begun: Instant, error: Option<&TableError>, used: &Used) {
        let took = micros(begun.elapsed());
        for (partition, entities) in &used.partitions {
            if let Some(hot) = &self.hot {
                hot.add(request.table, partition, *entities);
            }
        }
        self.add(took, used, error.is_some_and(|error| error.code() == ErrorCode::ServerBusy));
        let mut described = request.describe(used);
        described.account.clone_from(&self.account);
        described.id = format!("own-{}", self.number.fetch_add(1, Ordering::Relaxed) + 1);
        described.status = error.map_or(200, TableError::status);
        described.code = error.map(|error| error.code().as_str().to_owned());
        described.micros = took;
        self.requests.push(described);
    }

    fn add(&self, took: u64, used: &Used, is_throttled: bool) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        self.samples.keep(Timestamp::now(), || totals.clone());
        totals.requests += 1;
        totals.throttled += u64::from(is_throttled);
        totals.read += used.read;
        totals.returned += used.returned;
        totals.latency.add(took);
    }
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

impl Observed for OwnRequests {
    fn is_own(&self) -> bool {
        true
    }

    fn totals(&self) -> Vec<TotalsAt> {
        let totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.samples.until(Timestamp::now(), totals)
    }

    fn heat(&self, span: HeatSpan) -> Vec<HeatStep> {
        self.hot.as_ref().map(|hot| hot.history(span)).unwrap_or_default()
    }

    fn slow_requests(&self) -> Vec<SlowRequest> {
        self.requests.newest()
    }
}

impl TableService for OwnRequests {
    fn capabilities(&self) -> &Capabilities {
        self.service.capabilities()
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        let request = Request::of("CreateTable", table);
        Box::pin(self.count(request, self.service.create_table(table), |(), _| Used::default()))
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        let request = Request::of("DeleteTable", table);
        Box::pin(self.count(request, self.service.delete_table(table), |(), _| Used::default()))
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        self.service.list_tables(request)
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        let found = self.service.find(table, partition_key, row_key, select);
        let request = Request::of("QueryEntity", table);
        Box::pin(self.count(request, found, |rows, _| Used::point(partition_key, rows.len() as u64)))
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        let request = Request::of("QueryEntities", table).query(&query);
        let segment = self.service.query(table, query);
        Box::pin(self.count(request, segment, |segment, request| {
            Used::query(&segment.stats, request, segment.rows.iter().filter_map(|row| row.partition_key))
        }))
    }

    fn visit<'a>(
        &'a self,
        table: &'a TableName,
        query: Query,
        visit: VisitRow<'a>,
    ) -> Pending<'a, VisitedSegment> {
        let request = Request::of("QueryEntities", table).query(&query);
        Box::pin(async move {
            let (begun, mut partitions) = (Instant::now(), Vec::new());
            let mut noted = |row: RowRef<'_>| {
                partitions.extend(row.partition_key.map(str::to_owned));
                visit(row)
            };
            let visited = self.service.visit(table, query, &mut noted).await;
            let keys = partitions.iter().map(String::as_str);
            let used = visited.as_ref().map(|visited| Used::query(&visited.stats, &request, keys));
            self.note(&request, begun, visited.as_ref().err(), &used.unwrap_or_default());
            visited
        })
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        let request = Request::of(operation.kind().name(), table);
        let written = self.service.execute(table, operation);
        Box::pin(self.count(request, written, |_, _| Used::write(operation.partition_key(), 1)))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        let request = Request::of("EntityGroupTransaction", table).operations(operations.len());
        let written = self.service.transact(table, operations);
        let partition = operations.first().map_or("", Operation::partition_key);
        Box::pin(self.count(request, written, |written, _| Used::write(partition, written.len() as u64)))
    }

    fn confirm<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        version: &'a ETag,
    ) -> Pending<'a, bool> {
        self.service.confirm(table, partition_key, row_key, version)
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        self.service.list_outbox(which, after, most)
    }
}

impl fmt::Debug for OwnRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnRequests").field("service", &self.service).finish_non_exhaustive()
    }
}
