use table_store::{
    Capabilities, ErrorCode, Name, Operation, Pending, Query, Result, Rows, Segment, Store, TableName,
    TableService, Written,
    service::{ListTables, OutboxKind, OutboxRow, TablesSegment},
};

use crate::simulation::{
    pause,
    world::{Fate, Late, Request, World},
};

/// A store that schedules each call and injects faults.
#[derive(Clone, Debug)]
pub struct Unreliable {
    store: Store,
    world: World,
    capabilities: Capabilities,
}

impl Unreliable {
    /// Creates a service on top of a store.
    #[must_use]
    pub fn new(store: Store, world: World) -> Self {
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

    /// Returns the underlying store, which has no faults.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Executes a request in flight, at random or, with `always`, in any case. Returns whether it executed a request.
    pub(crate) fn land(&self, always: bool) -> bool {
        let Some(Late { request, .. }) = self.world.landing(always) else { return false };
        request.land(&self.store);
        true
    }

    pub(crate) async fn read<T>(&self, call: Pending<'_, T>) -> Result<T> {
        pause().await;
        match self.world.fate(false) {
            Fate::CrashBefore | Fate::CrashAfter => the_end().await,
            _ => {
                let answer = pollster::block_on(call);
                if self.world.has_slow_answers() {
                    pause().await;
                }
                answer
            }
        }
    }

    pub(crate) async fn write<T>(
        &self,
        request: impl FnOnce() -> Request + Send,
        call: Pending<'_, T>,
    ) -> Result<T> {
        let sent = self.world.now();
        pause().await;
        if !self.world.may_land(sent) {
            return Err(ErrorCode::OperationTimedOut.into());
        }
        let fate = self.world.fate(true);
        match fate {
            Fate::Well => pollster::block_on(call),
            Fate::CrashBefore => the_end().await,
            Fate::CrashAfter => {
                drop(pollster::block_on(call));
                the_end().await
            }
            Fate::Lost => {
                drop(pollster::block_on(call));
                Err(ErrorCode::OperationTimedOut.into())
            }
            Fate::Undone => Err(ErrorCode::OperationTimedOut.into()),
            Fate::Late => {
                self.world.delay(Late { request: request(), sent });
                Err(ErrorCode::OperationTimedOut.into())
            }
        }
    }
}

fn transact(table: &TableName, operations: &[Operation]) -> Request {
    Request::Transact { table: table.clone(), operations: operations.to_vec() }
}

/// Never completes: the caller has crashed.
pub(crate) async fn the_end<T>() -> T {
    std::future::pending().await
}

impl TableService for Unreliable {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        Box::pin(self.read(self.store.create_table(table)))
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        Box::pin(self.read(self.store.delete_table(table)))
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        Box::pin(self.read(self.store.list_tables(request)))
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        Box::pin(self.read(self.store.find(table, partition_key, row_key, select)))
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        Box::pin(self.read(self.store.query(table, query)))
    }

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

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        Box::pin(self.read(self.store.list_outbox(which, after, most)))
    }
}
