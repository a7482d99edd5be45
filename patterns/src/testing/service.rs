//! The store behind latency and faults: its tables, its queues or its blobs.

use std::time::Duration;

use futures_timer::Delay;
use table_model::{
    Name, Operation, Query, Result, Rows, Segment, TableName, Written,
    outbox::{OutboxKind, OutboxRow},
    service::{Capabilities, ListTables, Pending, TableService, TablesSegment},
};
use table_store::Store;

use super::faults::{Fault, Faults};

/// Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Faulty {
    pub(super) store: Store,
    pub(super) faults: Faults,
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

    /// Sends a request.
    pub(super) fn through<'a, T: Send + 'a>(&'a self, request: Pending<'a, T>) -> Pending<'a, T> {
        Box::pin(async move {
            let fault = self.arrive().await?;
            let response = request.await;
            self.answer(fault).await?;
            response
        })
    }

    /// Counts a request and waits until the service receives it. Returns the fault of its response.
    pub(super) async fn arrive(&self) -> Result<Option<Fault>> {
        let fault = self.faults.next();
        self.wait().await;
        Fault::before(fault).map(|()| fault)
    }

    /// Waits for the response of an executed request.
    pub(super) async fn answer(&self, fault: Option<Fault>) -> Result<()> {
        self.wait().await;
        Fault::after(fault)
    }

    /// Waits for one way.
    async fn wait(&self) {
        if !self.latency.is_zero() {
            Delay::new(self.latency / 2).await;
        }
    }
}

/// Implements methods of a service by the store, through latency and faults.
macro_rules! requests {
    ($service:ident: $($name:ident($($argument:ident: $ty:ty),*) -> $response:ty;)*) => {
        $(
            #[allow(clippy::elidable_lifetime_names, reason = "some requests contain no reference")]
            fn $name<'a>(&'a self, $($argument: $ty),*) -> Pending<'a, $response> {
                self.through($service::$name(&self.store, $($argument),*))
            }
        )*
    };
}
pub(super) use requests;

impl TableService for Faulty {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    requests! { TableService:
        create_table(table: &'a TableName) -> ();
        delete_table(table: &'a TableName) -> ();
        list_tables(request: ListTables) -> TablesSegment;
        find(table: &'a TableName, partition_key: &'a str, row_key: &'a str, select: Option<&'a [Name]>) -> Rows;
        query(table: &'a TableName, query: Query) -> Segment;
        execute(table: &'a TableName, operation: &'a Operation) -> Written;
        transact(table: &'a TableName, operations: &'a [Operation]) -> Vec<Written>;
        list_outbox(which: OutboxKind, after: Option<&'a OutboxRow>, most: usize) -> Vec<OutboxRow>;
    }
}
