use std::sync::atomic::{AtomicU64, Ordering};

use table_model::{
    Capabilities, Name, Operation, Pending, Query, Result, Rows, Segment, TableName, TableService, Written,
    service::{ListTables, TablesSegment},
};
use table_store::Store;

/// A store that counts requests, and calls a function before each write.
#[derive(Debug)]
pub(super) struct Hooked {
    below: Store,
    before: fn(&Store, &Operation) -> Result<()>,
    reads_backward: bool,
    /// Rows returned by queries.
    read: AtomicU64,
    /// Single writes and transactions.
    requests: AtomicU64,
}

impl Hooked {
    pub(super) fn new(below: Store) -> Self {
        let (read, requests) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { below, before: |_, _| Ok(()), reads_backward: false, read, requests }
    }

    pub(super) fn before(mut self, before: fn(&Store, &Operation) -> Result<()>) -> Self {
        self.before = before;
        self
    }

    /// Returns rows in the wrong order.
    pub(super) fn backward(mut self) -> Self {
        self.reads_backward = true;
        self
    }

    pub(super) const fn below(&self) -> &Store {
        &self.below
    }

    pub(super) fn take_read(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }

    pub(super) fn take_requests(&self) -> u64 {
        self.requests.swap(0, Ordering::Relaxed)
    }

    fn check(&self, operations: &[Operation]) -> Result<()> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        operations.iter().try_for_each(|operation| (self.before)(&self.below, operation))
    }
}

impl TableService for Hooked {
    fn capabilities(&self) -> &Capabilities {
        self.below.capabilities()
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.below.create_table(table)
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.below.delete_table(table)
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        self.below.list_tables(request)
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        self.below.find(table, partition_key, row_key, select)
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        let query = if self.reads_backward { query.descending() } else { query };
        Box::pin(async move {
            let segment = self.below.query(table, query).await?;
            self.read.fetch_add(segment.stats.returned, Ordering::Relaxed);
            Ok(segment)
        })
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        Box::pin(async move {
            self.check(std::slice::from_ref(operation))?;
            self.below.execute(table, operation).await
        })
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(async move {
            self.check(operations)?;
            self.below.transact(table, operations).await
        })
    }
}
