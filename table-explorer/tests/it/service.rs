//! A service that another process writes to between two requests, or whose responses are lost.

use std::sync::{Arc, Mutex};

use table_explorer::{Explorer, Place};
use table_model::{
    Capabilities, Name, Operation, Pending, Query, Rows, Segment, TableError, TableName, TableService,
    Written,
    service::{ListTables, TablesSegment, VisitRow, VisitedSegment},
};
use table_store::Store;

use crate::client::Served;

/// Event at the next write.
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
    /// The error of the next read.
    read: Arc<Mutex<Option<TableError>>>,
    /// A RowKey whose row cannot be read.
    damaged: Arc<Mutex<Option<(String, TableError)>>>,
}

impl Remote {
    pub(crate) fn new(store: &Store) -> Self {
        Self {
            store: store.clone(),
            next: Arc::default(),
            writes: Arc::default(),
            read: Arc::default(),
            damaged: Arc::default(),
        }
    }

    /// Serves the account `acme`.
    pub(crate) fn serve(&self) -> Served {
        let place = Place::new("https://acme.table.core.windows.net", Arc::new(self.clone()));
        Served::start(Explorer::new(place).writable(true))
    }

    /// Sets the event at the next write.
    pub(crate) fn next(&self, event: Event) {
        *self.next.lock().unwrap() = Some(event);
    }

    /// Sets the error of the next read.
    pub(crate) fn next_read(&self, error: TableError) {
        *self.read.lock().unwrap() = Some(error);
    }

    /// Damages the row with a RowKey.
    pub(crate) fn damage(&self, row_key: &str, error: TableError) {
        *self.damaged.lock().unwrap() = Some((row_key.to_owned(), error));
    }

    /// Returns the error of the next read, once.
    fn check_read(&self) -> table_model::Result<()> {
        self.read.lock().unwrap().take().map_or(Ok(()), Err)
    }

    /// Returns the error of a damaged row.
    fn check_row(&self, row_key: Option<&str>) -> table_model::Result<()> {
        match &*self.damaged.lock().unwrap() {
            Some((damaged, error)) if row_key == Some(damaged) => Err(error.clone()),
            _ => Ok(()),
        }
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
        let found = self.store.find(table, partition_key, row_key, select);
        Box::pin(async move { self.check_row(Some(row_key)).map(|()| found)?.await })
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        let segment = self.store.query(table, query);
        Box::pin(async move {
            self.check_read()?;
            segment.await
        })
    }

    fn visit<'a>(
        &'a self,
        table: &'a TableName,
        query: Query,
        visit: VisitRow<'a>,
    ) -> Pending<'a, VisitedSegment> {
        let segment = self.query(table, query);
        Box::pin(async move {
            let Segment { rows, continuation, previous, stats } = segment.await?;
            for row in &rows {
                self.check_row(row.row_key)?;
                let _ = visit(row);
            }
            Ok(VisitedSegment { continuation, previous, stats })
        })
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
