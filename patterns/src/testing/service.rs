//! The store behind latency and faults.

use std::time::Duration;

use futures_timer::Delay;
use table_model::{
    Name, Operation, Query, Rows, Segment, TableName, Written,
    outbox::{OutboxKind, OutboxRow},
    service::{Capabilities, ListTables, Pending, TableService, TablesSegment},
};
use table_store::Store;

use super::faults::{Fault, Faults};

#[derive(Debug)]
pub(super) struct Faulty {
    store: Store,
    faults: Faults,
    latency: Duration,
    capabilities: Capabilities,
}

impl Faulty {
    pub(super) fn new(store: Store, faults: Faults, latency: Duration) -> Self {
        let mut capabilities = store.capabilities().clone();
        // Requests that are delayed can overtake each other.
        capabilities.keeps_order &= latency.is_zero();
        Self { store, faults, latency, capabilities }
    }

    fn through<'a, T: Send + 'a>(&'a self, request: Pending<'a, T>) -> Pending<'a, T> {
        Box::pin(async move {
            let fault = self.faults.next();
            self.wait().await;
            Fault::before(fault)?;
            let response = request.await;
            self.wait().await;
            Fault::after(fault)?;
            response
        })
    }

    /// Waits for one way.
    async fn wait(&self) {
        if !self.latency.is_zero() {
            Delay::new(self.latency / 2).await;
        }
    }
}

impl TableService for Faulty {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.through(self.store.create_table(table))
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.through(TableService::delete_table(&self.store, table))
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        self.through(self.store.list_tables(request))
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        self.through(self.store.find(table, partition_key, row_key, select))
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        self.through(self.store.query(table, query))
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        self.through(self.store.execute(table, operation))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        self.through(self.store.transact(table, operations))
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        self.through(self.store.list_outbox(which, after, most))
    }
}
