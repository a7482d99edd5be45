//! A table service that counts the requests to another service, for tests of request counts.

mod queues;

pub use queues::{CountingQueues, QueueCalls};

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use table_store::{
    Name, Operation, Query, Rows, Segment, TableName, TableService, Written,
    service::{Capabilities, ListTables, OutboxKind, OutboxRow, Pending, TablesSegment},
};

/// Requests by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Requests to create a table.
    pub creates: u64,
    /// Requests to delete a table.
    pub drops: u64,
    /// Segments of table listings.
    pub lists: u64,
    /// Point reads.
    pub finds: u64,
    /// Segments of queries.
    pub queries: u64,
    /// Single writes.
    pub writes: u64,
    /// Transactions.
    pub transactions: u64,
    /// Lists of commit records.
    pub marks: u64,
}

impl Calls {
    /// Returns the number of all requests.
    #[must_use]
    pub const fn all(self) -> u64 {
        let Self { creates, drops, lists, finds, queries, writes, transactions, marks } = self;
        creates + drops + lists + finds + queries + writes + transactions + marks
    }
}

/// Counts the requests to another service. Clones share the counts.
#[derive(Clone, Debug)]
pub struct Counting<S> {
    below: S,
    capabilities: Capabilities,
    counters: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    creates: AtomicU64,
    drops: AtomicU64,
    lists: AtomicU64,
    finds: AtomicU64,
    queries: AtomicU64,
    writes: AtomicU64,
    transactions: AtomicU64,
    marks: AtomicU64,
}

impl<S: TableService> Counting<S> {
    /// Wraps a service.
    pub fn new(below: S) -> Self {
        let capabilities = below.capabilities().clone();
        Self { below, capabilities, counters: Arc::default() }
    }

    /// Returns the service without its list of commit records.
    #[must_use]
    pub fn without_marks(mut self) -> Self {
        self.capabilities.marks = false;
        self
    }

    /// Returns the wrapped service.
    pub const fn below(&self) -> &S {
        &self.below
    }

    /// Returns the requests since the last call.
    pub fn take(&self) -> Calls {
        let Counters { creates, drops, lists, finds, queries, writes, transactions, marks } = &*self.counters;
        Calls {
            creates: take(creates),
            drops: take(drops),
            lists: take(lists),
            finds: take(finds),
            queries: take(queries),
            writes: take(writes),
            transactions: take(transactions),
            marks: take(marks),
        }
    }
}

fn take(counter: &AtomicU64) -> u64 {
    counter.swap(0, Ordering::Relaxed)
}

fn one(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A request is counted when it is created, even if its future is never polled.
impl<S: TableService> TableService for Counting<S> {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        one(&self.counters.creates);
        self.below.create_table(table)
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        one(&self.counters.drops);
        self.below.delete_table(table)
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        one(&self.counters.lists);
        self.below.list_tables(request)
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        one(&self.counters.finds);
        self.below.find(table, partition_key, row_key, select)
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        one(&self.counters.queries);
        self.below.query(table, query)
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        one(&self.counters.writes);
        self.below.execute(table, operation)
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        one(&self.counters.transactions);
        self.below.transact(table, operations)
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        one(&self.counters.marks);
        self.below.list_outbox(which, after, most)
    }
}
