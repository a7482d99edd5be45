//! A table service that counts the requests to another one, and the rows in them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use table_patterns::Value;
use table_store::{
    ErrorCode, Name, Operation, Query, Rows, Segment, Store, TableError, TableName, TableService, Written,
    service::{Capabilities, ListTables, OutboxKind, OutboxRow, Pending, TablesSegment},
};

/// What was requested.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Point reads and pages.
    pub(super) reads: u64,
    pub(super) read: u64,
    pub(super) returned: u64,
    /// Bytes of the returned rows, by the service's definition, without the library's properties.
    pub(super) bytes: f64,
    /// Transactions and writes of entities and index rows.
    pub(super) writes: u64,
    /// Writes that only the protocol of rows in other partitions requires: placeholders, reservations, commit records.
    pub(super) protocol: u64,
    /// Written entities and index rows.
    pub(super) rows: u64,
    /// Their bytes, without the library's properties.
    pub(super) row_bytes: f64,
    /// Bytes of the library's properties in written rows.
    pub(super) library_bytes: f64,
    /// Written rows by table and partition.
    pub(super) partitions: HashMap<(String, String), u64>,
}

/// Counts the requests to a store.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    below: Store,
    counts: Arc<Mutex<Counts>>,
}

impl Counting {
    pub(super) fn new(below: Store) -> Self {
        Self { below, counts: Arc::default() }
    }

    /// Returns the counts since the last call.
    pub(super) fn take(&self) -> Counts {
        std::mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts a write, except the first one to a missing table, which is created and written again.
    fn written(&self, table: &TableName, operations: &[Operation], error: Option<&TableError>) {
        if error.is_none_or(|error| error.code() != ErrorCode::TableNotFound) {
            self.count(|counts| counts.written(table, operations));
        }
    }

    fn count(&self, count: impl FnOnce(&mut Counts)) {
        count(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Counts {
    fn returned(&mut self, rows: &Rows) {
        self.reads += 1;
        for row in rows {
            self.returned += 1;
            let keys = [row.partition_key, row.row_key].into_iter().flatten();
            self.bytes += 4.0 + keys.map(|key| 2.0 * units(key)).sum::<f64>();
            for (name, value) in row.properties.iter().filter(|(name, _)| !name.starts_with('_')) {
                self.bytes += size(name, &value.to_value());
            }
        }
    }

    fn written(&mut self, table: &TableName, operations: &[Operation]) {
        let mut is_protocol = true;
        for operation in operations {
            let properties = operation.entity().map(|entity| &entity.properties);
            let state = properties.and_then(|properties| properties.get("_st"));
            let is_live = state.is_none_or(|state| *state == Value::from("l"));
            if operation.row_key().starts_with('!') || !is_live {
                continue;
            }
            is_protocol = false;
            self.rows += 1;
            self.row_bytes += 4.0 + 2.0 * (units(operation.partition_key()) + units(operation.row_key()));
            for (name, value) in properties.into_iter().flat_map(|properties| properties.iter()) {
                let bytes = if name.starts_with('_') { &mut self.library_bytes } else { &mut self.row_bytes };
                *bytes += size(name, value);
            }
            let partition = (table.as_str().to_owned(), operation.partition_key().to_owned());
            *self.partitions.entry(partition).or_default() += 1;
        }
        if is_protocol { self.protocol += 1 } else { self.writes += 1 }
    }
}

fn units(text: &str) -> f64 {
    crate::text::real(text.encode_utf16().count())
}

fn size(name: &str, value: &Value) -> f64 {
    8.0 + 2.0 * units(name) + crate::text::real(value.size())
}

impl TableService for Counting {
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
        Box::pin(async move {
            let rows = self.below.find(table, partition_key, row_key, select).await?;
            self.count(|counts| {
                counts.returned(&rows);
                counts.read += u64::try_from(rows.len()).unwrap_or(u64::MAX);
            });
            Ok(rows)
        })
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        Box::pin(async move {
            let segment = self.below.query(table, query).await?;
            self.count(|counts| {
                counts.returned(&segment.rows);
                counts.read += segment.stats.read;
            });
            Ok(segment)
        })
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        Box::pin(async move {
            let written = self.below.execute(table, operation).await;
            self.written(table, std::slice::from_ref(operation), written.as_ref().err());
            written
        })
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(async move {
            let written = self.below.transact(table, operations).await;
            self.written(table, operations, written.as_ref().err());
            written
        })
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        self.below.list_outbox(which, after, most)
    }
}
