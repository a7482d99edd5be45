//! The store for threads that may wait.

mod blobs;
mod queues;
mod settings;

pub use blobs::{BlockingBlobReader, BlockingBlobWriter};

use std::{borrow::Borrow, path::Path};

use pollster::block_on;

use super::{Backup, BackupError, ScrubReport, Store, StoreStats};
use crate::{
    Name, Operation, Query, Result, Row, Segment, TableName, TableService, Written,
    service::{ListTables, TablesSegment},
};

/// A [`Store`] with the same verbs, each of which returns when it is done. Not for use inside an async runtime: it
/// would hold up the runtime's thread.
///
/// ```
/// use table_store::{Entity, Operation, embedded::Store};
///
/// let store = Store::in_memory()?.blocking();
/// let table = "Employees".parse()?;
/// store.create_table(&table)?;
/// store.execute(&table, Operation::Insert(Entity::new("Sales", "1").with("Name", "Jo")))?;
/// assert_eq!(store.get(&table, "Sales", "2", None)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockingStore(Store);

impl BlockingStore {
    pub(super) fn new(store: Store) -> Self {
        Self(store)
    }

    /// The same store, with futures.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0
    }

    /// See [`TableService::create_table`].
    pub fn create_table(&self, table: &TableName) -> Result<()> {
        block_on(self.0.create_table(table))
    }

    /// See [`TableService::delete_table`].
    pub fn delete_table(&self, table: &TableName) -> Result<()> {
        block_on(self.0.delete_table(table))
    }

    /// See [`TableService::list_tables`].
    pub fn list_tables(&self, request: ListTables) -> Result<TablesSegment> {
        block_on(self.0.list_tables(request))
    }

    /// See [`TableService::get`].
    pub fn get(
        &self,
        table: &TableName,
        partition_key: &str,
        row_key: &str,
        select: Option<&[Name]>,
    ) -> Result<Option<Row>> {
        block_on(self.0.get(table, partition_key, row_key, select))
    }

    /// See [`TableService::query`].
    pub fn query(&self, table: &TableName, query: Query) -> Result<Segment> {
        block_on(self.0.query(table, query))
    }

    /// See [`TableService::execute`].
    pub fn execute(&self, table: &TableName, operation: impl Borrow<Operation>) -> Result<Written> {
        block_on(self.0.execute(table, operation.borrow()))
    }

    /// See [`TableService::transact`].
    pub fn transact(&self, table: &TableName, operations: impl AsRef<[Operation]>) -> Result<Vec<Written>> {
        block_on(self.0.transact(table, operations.as_ref()))
    }

    /// See [`Store::flush`].
    pub fn flush(&self) -> Result<()> {
        block_on(self.0.flush())
    }

    /// See [`Store::swept`].
    pub fn swept(&self) -> Result<()> {
        block_on(self.0.swept())
    }

    /// See [`Store::scrub`].
    pub fn scrub(&self) -> Result<ScrubReport> {
        block_on(self.0.scrub())
    }

    /// See [`Store::backup`].
    pub fn backup(&self, path: impl AsRef<Path>) -> Result<Backup, BackupError> {
        block_on(self.0.backup(path))
    }

    /// See [`Store::close`].
    pub fn close(&self) -> Result<()> {
        block_on(self.0.close())
    }

    /// See [`Store::stats`].
    pub fn stats(&self) -> StoreStats {
        self.0.stats()
    }
}
