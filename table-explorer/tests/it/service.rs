//! A service that another process writes to between two requests, or whose responses are lost.

use std::sync::{Arc, Mutex};

use table_explorer::{Explorer, Place};
use table_model::{
    Capabilities, Name, Operation, Pending, Query, Rows, Segment, TableError, TableName, TableService,
    Written,
    service::{ListTables, TablesSegment},
};
use table_store::Store;

use crate::client::Served;

/// What happens to the next write.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// It is applied, and its response is lost.
    LostResponse,
    /// It is lost.
    LostRequest,
    /// Another process writes first.
    Before(Operation),
}

/// A store behind a connection.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    store: Store,
    next: Arc<Mutex<Option<Event>>>,
    writes: Arc<Mutex<usize>>,
}

impl Remote {
    pub(crate) fn new(store: &Store) -> Self {
        Self { store: store.clone(), next: Arc::default(), writes: Arc::default() }
    }

    /// Serves the account `acme`.
    pub(crate) fn serve(&self) -> Served {
        let place = Place::new("https://acme.table.core.windows.net", Arc::new(self.clone()));
        Served::start(Explorer::new(place).writable(true))
    }

    /// Sets what happens to the next write.
    pub(crate) fn next(&self, event: Event) {
        *self.next.lock().unwrap() = Some(event);
    }

    /// Returns the number of writes that were sent.
    pub(crate) fn writes(&self) -> usize {
        *self.writes.lock().unwrap()
    }

    async fn write<T>(&self, table: &TableName, write: Pending<'_, T>) -> table_model::Result<T> {
        *self.writes.lock().unwrap() += 1;
        let event = self.next.lock().unwrap().take();
        let lost = || Err(TableError::no_response("the connection was reset"));
        match event {
            Some(Event::LostRequest) => lost(),
            Some(Event::LostResponse) => write.await.and_then(|_| lost()),
            Some(Event::Before(other)) => {
                self.store.execute(table, &other).await?;
                write.await
            }
            None => write.await,
        }
    }
}

impl TableService for Remote {
    fn capabilities(&self) -> &Capabilities {
        self.store.capabilities()
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.store.create_table(table)
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.store.delete_table(table)
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        self.store.list_tables(request)
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        self.store.find(table, partition_key, row_key, select)
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        self.store.query(table, query)
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        Box::pin(self.write(table, self.store.execute(table, operation)))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(self.write(table, self.store.transact(table, operations)))
    }
}
