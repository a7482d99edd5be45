//! A table service that counts the requests to another service, for tests of request counts.

mod queues;

pub use queues::{CountingQueues, QueueCalls};

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use table_store::{Capabilities, TableService};

use crate::forward;

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

    /// Counts a request to the wrapped service.
    fn counted(&self, counter: impl Fn(&Counters) -> &AtomicU64) -> &S {
        one(counter(&self.counters));
        &self.below
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

    forward!(self, to self.counted(|counters| &counters.creates) => create_table);
    forward!(self, to self.counted(|counters| &counters.drops) => delete_table);
    forward!(self, to self.counted(|counters| &counters.lists) => list_tables);
    forward!(self, to self.counted(|counters| &counters.finds) => find);
    forward!(self, to self.counted(|counters| &counters.queries) => query);
    forward!(self, to self.counted(|counters| &counters.writes) => execute);
    forward!(self, to self.counted(|counters| &counters.transactions) => transact);
    forward!(self, to self.counted(|counters| &counters.marks) => list_outbox);
}
