//! Blocking interface of the store.

mod blobs;
mod queues;
mod settings;

pub use blobs::{BlockingBlobReader, BlockingBlobWriter};

use std::{borrow::Borrow, path::Path};

use pollster::block_on;
use table_model::{
    Name, Operation, Query, Result, Row, Segment, TableName, TableService, Written,
    service::{ListTables, TablesSegment},
};

use crate::{Backup, BackupError, ScrubReport, Store, StoreStats};

/// A [`Store`] whose methods block until they complete. Do not use it inside an async runtime, because it would block
/// the runtime's thread.
///
/// ```
/// use table_store::{Entity, Operation, Store};
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
    pub(crate) fn new(store: Store) -> Self {
        Self(store)
    }

    /// Returns the asynchronous handle of the store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0
    }

    /// Creates a table.
    ///
    /// # Errors
    /// As [`TableService::create_table`].
    pub fn create_table(&self, table: &TableName) -> Result<()> {
        block_on(self.0.create_table(table))
    }

    /// Deletes a table.
    ///
    /// # Errors
    /// As [`TableService::delete_table`].
    pub fn delete_table(&self, table: &TableName) -> Result<()> {
        block_on(self.0.delete_table(table))
    }

    /// Lists tables.
    ///
    /// # Errors
    /// As [`TableService::list_tables`].
    pub fn list_tables(&self, request: ListTables) -> Result<TablesSegment> {
        block_on(self.0.list_tables(request))
    }

    /// Reads an entity by its keys.
    ///
    /// # Errors
    /// As [`TableService::get`].
    pub fn get(
        &self,
        table: &TableName,
        partition_key: &str,
        row_key: &str,
        select: Option<&[Name]>,
    ) -> Result<Option<Row>> {
        block_on(self.0.get(table, partition_key, row_key, select))
    }

    /// Reads one segment of a query.
    ///
    /// # Errors
    /// As [`TableService::query`].
    pub fn query(&self, table: &TableName, query: Query) -> Result<Segment> {
        block_on(self.0.query(table, query))
    }

    /// Executes one write.
    ///
    /// # Errors
    /// As [`TableService::execute`].
    pub fn execute(&self, table: &TableName, operation: impl Borrow<Operation>) -> Result<Written> {
        block_on(self.0.execute(table, operation.borrow()))
    }

    /// Executes several writes to one partition atomically.
    ///
    /// # Errors
    /// As [`TableService::transact`].
    pub fn transact(&self, table: &TableName, operations: impl AsRef<[Operation]>) -> Result<Vec<Written>> {
        block_on(self.0.transact(table, operations.as_ref()))
    }

    /// Waits until all acknowledged writes are on stable storage.
    ///
    /// # Errors
    /// As [`Store::flush`].
    pub fn flush(&self) -> Result<()> {
        block_on(self.0.flush())
    }

    /// Waits until all deleted data is removed.
    ///
    /// # Errors
    /// As [`Store::swept`].
    pub fn swept(&self) -> Result<()> {
        block_on(self.0.swept())
    }

    /// Verifies every record.
    ///
    /// # Errors
    /// As [`Store::scrub`].
    pub fn scrub(&self) -> Result<ScrubReport> {
        block_on(self.0.scrub())
    }

    /// Copies the store to a new file.
    ///
    /// # Errors
    /// As [`Store::backup`].
    pub fn backup(&self, path: impl AsRef<Path>) -> Result<Backup, BackupError> {
        block_on(self.0.backup(path))
    }

    /// Closes the store for all its handles.
    ///
    /// # Errors
    /// As [`Store::close`].
    pub fn close(&self) -> Result<()> {
        block_on(self.0.close())
    }

    /// Returns metrics of the store; see [`Store::stats`].
    pub fn stats(&self) -> StoreStats {
        self.0.stats()
    }
}
