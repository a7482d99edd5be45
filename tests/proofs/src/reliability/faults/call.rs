use table_store::{
    BlockingStore, Condition, Durability, Entity, Filter, Operation, Query, Result, StorageFault, TableError,
    TableName, service::ListTables,
};

use crate::reliability::history::RELAXED;

/// Number of rows in each table at the start.
pub(super) const ROWS: usize = 60;
/// Number of rows in the deleted table: more than one step of a sweep removes.
pub(super) const SWEPT_ROWS: usize = 210;

/// A public operation of the store, each with the existing or missing rows that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Call {
    CreateTable,
    DeleteTable,
    ListTables,
    Get,
    Query,
    /// A query in pages, up to its end.
    QueryPages,
    Insert,
    Replace,
    Merge,
    InsertOrReplace,
    InsertOrMerge,
    Delete,
    Transact,
    /// A transaction of 3 MB: the file grows.
    Grow,
    /// An insert that is acknowledged before its sync, then a flush.
    Flush,
    /// The same with a read in between, which may fail instead.
    ReadAndFlush,
    /// The creation of a table that is acknowledged before its sync, then a flush.
    FlushTable,
    /// Waits for the sweep of a previously deleted table.
    Swept,
    /// Reads every record.
    Scrub,
    Close,
    /// Drops the last handle.
    Drop,
    /// Opens a closed store.
    Open,
    /// Opens a store that was not closed.
    Recover,
}

impl Call {
    /// All calls.
    pub const ALL: [Self; 23] = [
        Self::CreateTable,
        Self::DeleteTable,
        Self::ListTables,
        Self::Get,
        Self::Query,
        Self::QueryPages,
        Self::Insert,
        Self::Replace,
        Self::Merge,
        Self::InsertOrReplace,
        Self::InsertOrMerge,
        Self::Delete,
        Self::Transact,
        Self::Grow,
        Self::Flush,
        Self::ReadAndFlush,
        Self::FlushTable,
        Self::Swept,
        Self::Scrub,
        Self::Close,
        Self::Drop,
        Self::Open,
        Self::Recover,
    ];

    /// Returns whether the disk fails while the store is opened, not later.
    pub(super) fn opens(self) -> bool {
        matches!(self, Self::Open | Self::Recover)
    }

    /// Returns whether the call acknowledges data before its sync, which a disk error may undo.
    pub(super) fn relaxed(self) -> bool {
        matches!(self, Self::Flush | Self::ReadAndFlush | Self::FlushTable)
    }

    pub(super) fn durability(self) -> Durability {
        if self.relaxed() { RELAXED } else { Durability::Full }
    }

    /// Prepares the store before the disk starts to fail.
    pub(super) fn prepare(self, store: &BlockingStore) -> Result<()> {
        match self {
            Self::Flush | Self::ReadAndFlush => insert(store, "early"),
            Self::FlushTable => store.create_table(&"Early".parse()?),
            _ => Ok(()),
        }
    }

    /// Makes the call.
    pub(super) fn make(self, store: &BlockingStore) -> Result<()> {
        let table = staff()?;
        let write = |operation| store.execute(&table, operation).map(drop);
        match self {
            Self::CreateTable => store.create_table(&"Fresh".parse()?),
            Self::DeleteTable => store.delete_table(&leaving()?),
            Self::ListTables => store.list_tables(ListTables::default()).map(drop),
            Self::Get => store.get(&table, "Sales", "0007", None).map(drop),
            Self::Query => {
                let filter = Filter::parse("PartitionKey eq 'Sales' and Number ge 50")?;
                store.query(&table, Query::new().filter(filter)).map(drop)
            }
            Self::QueryPages => {
                let mut query = Query::new().top(25);
                while let Some(next) = store.query(&table, query)?.continuation {
                    query = Query::new().top(25).continuation(next);
                }
                Ok(())
            }
            Self::Insert => insert(store, "new"),
            Self::Replace => write(Operation::Replace(entity("0003", 9), Condition::Exists)),
            Self::Merge => write(Operation::Merge(entity("0004", 9), Condition::Exists)),
            Self::InsertOrReplace => write(Operation::InsertOrReplace(entity("0005", 9))),
            Self::InsertOrMerge => write(Operation::InsertOrMerge(entity("0006", 9))),
            Self::Delete => write(Operation::Delete {
                partition_key: "Sales".to_owned(),
                row_key: "0008".to_owned(),
                condition: Condition::Exists,
            }),
            Self::Transact => {
                let mut operations: Vec<_> =
                    (0..40).map(|row| Operation::InsertOrReplace(entity(&format!("{row:04}"), 5))).collect();
                operations.push(Operation::Insert(entity("new", 5)));
                store.transact(&table, operations).map(drop)
            }
            Self::Grow => {
                let rows = (0..60).map(|row| entity(&format!("big {row:02}"), row));
                let big: Vec<_> =
                    rows.map(|row| Operation::Insert(row.with("Bytes", vec![7; 50_000]))).collect();
                store.transact(&table, big).map(drop)
            }
            Self::Flush | Self::FlushTable => store.flush(),
            Self::ReadAndFlush => {
                // The error of a failing read is checked in another place.
                let _ = store.query(&table, Query::new());
                store.flush()
            }
            Self::Swept => store.delete_table(&leaving()?).and_then(|()| store.swept()),
            Self::Scrub => {
                let report = store.scrub()?;
                // A disk failure is not damage, unless the file seems truncated.
                if report.is_sound() {
                    return Ok(());
                }
                Err(StorageFault::Corrupt { what: report.to_string() }.into())
            }
            Self::Close => store.close(),
            Self::Drop | Self::Open | Self::Recover => Ok(()),
        }
    }
}

pub(super) fn staff() -> Result<TableName, TableError> {
    "Staff".parse()
}

pub(super) fn leaving() -> Result<TableName, TableError> {
    "Leaving".parse()
}

pub(super) fn insert(store: &BlockingStore, row_key: &str) -> Result<()> {
    store.execute(&staff()?, Operation::Insert(entity(row_key, 1))).map(drop)
}

pub(super) fn entity(row_key: &str, number: i32) -> Entity {
    Entity::new("Sales", row_key).with("Number", number).with("Text", "x".repeat(150))
}
