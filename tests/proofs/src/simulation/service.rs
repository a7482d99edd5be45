use std::future;

use table_patterns::Tables;
use table_store::{
    BlobService, Capabilities, ErrorCode, Operation, Pending, Result, Store, TableName, TableService, Written,
};
use table_tests::{forward, schedule::pause};

use crate::simulation::world::{Late, Request, World};

/// The service below the faults: a store in memory, or a database.
pub trait Below: TableService + BlobService + Clone + Into<Tables> + 'static {}

impl<S: TableService + BlobService + Clone + Into<Tables> + 'static> Below for S {}

/// A service that schedules each call and injects faults.
#[derive(Clone, Debug)]
pub struct Unreliable<S = Store> {
    store: S,
    world: World,
    capabilities: Capabilities,
}

impl<S: Below> Unreliable<S> {
    /// Creates a service on top of another one.
    #[must_use]
    pub fn new(store: S, world: World) -> Self {
        let mut capabilities = store.capabilities().clone();
        // Requests can take effect in a different order than they were sent.
        capabilities.keeps_order = false;
        Self { store, world, capabilities }
    }

    /// Disables the list of commit records. Workers find records through wake-up messages or sweeps.
    #[must_use]
    pub fn without_marks(mut self) -> Self {
        self.capabilities.marks = false;
        self
    }

    /// Returns the underlying service, which has no faults.
    #[must_use]
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// Executes a request in flight, at random or, with `always`, in any case. Returns whether it executed a request.
    pub(crate) fn land(&self, always: bool) -> bool {
        let Some(Late { request, .. }) = self.world.landing(always) else { return false };
        request.land(&self.store);
        true
    }

    pub(crate) fn read<'a, T: Send + 'a>(
        &'a self,
        send: impl FnOnce(&'a S) -> Pending<'a, T>,
    ) -> Pending<'a, T> {
        let call = send(&self.store);
        Box::pin(async move {
            pause().await;
            if self.world.fate(false).is_crash() {
                return future::pending().await;
            }
            let answer = pollster::block_on(call);
            if self.world.has_slow_answers() {
                pause().await;
            }
            answer
        })
    }

    pub(crate) async fn write<T>(
        &self,
        request: impl FnOnce() -> Request + Send,
        call: Pending<'_, T>,
    ) -> Result<T> {
        let sent = self.world.now();
        pause().await;
        let timed_out = ErrorCode::OperationTimedOut.into();
        if !self.world.may_land(sent) {
            return Err(timed_out);
        }
        let delay = || self.world.delay(Late { request: request(), sent });
        self.world.fate(true).apply(|| pollster::block_on(call), delay, timed_out).await
    }
}

fn transact(table: &TableName, operations: &[Operation]) -> Request {
    Request::Transact { table: table.clone(), operations: operations.to_vec() }
}

impl<S: Below> TableService for Unreliable<S> {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    forward!(self, by read => create_table delete_table list_tables find query list_outbox);

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        let call = self.store.execute(table, operation);
        Box::pin(self.write(|| transact(table, std::slice::from_ref(operation)), call))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(self.write(|| transact(table, operations), self.store.transact(table, operations)))
    }
}
