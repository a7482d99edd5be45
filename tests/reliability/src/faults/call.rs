use table_store::{
    Condition, Entity, Filter, Operation, Query, Result, StorageFault, TableError, TableName,
    embedded::{BlockingStore, Durability},
    service::ListTables,
};

use crate::history::RELAXED;

/// Rows of each table at the start.
pub(super) const ROWS: usize = 60;
/// Rows of the table that is deleted: more than one step of a sweep takes.
pub(super) const SWEPT_ROWS: usize = 210;

/// A public operation of the store, each on rows that are there or not as it needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Call {
    CreateTable,
    DeleteTable,
    ListTables,
    Get,
    Query,
    /// A query in pages, to its end.
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
    /// An insert that is acknowledged early, then a flush.
    Flush,
    /// The same with a read between: it may be the read that fails.
    ReadAndFlush,
    /// A table that is acknowledged early, then a flush.
    FlushTable,
    /// Waits for the sweep of a table that was deleted before.
    Swept,
    /// Reads every record.
    Scrub,
    Close,
    /// The last handle goes.
    Drop,
    /// Opens a store that was closed.
    Open,
    /// Opens a store that was not closed.
    Recover,
}

impl Call {
    /// All of them.
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

    /// Whether the disk fails while the store is opened, not later.
    pub(super) fn opens(self) -> bool {
        matches!(self, Self::Open | Self::Recover)
    }

    /// Whether the call is about something acknowledged early, which an error of the disk may take back.
    pub(super) fn relaxed(self) -> bool {
        matches!(self, Self::Flush | Self::ReadAndFlush | Self::FlushTable)
    }

    pub(super) fn durability(self) -> Durability {
        if self.relaxed() { RELAXED } else { Durability::Full }
    }

    /// What is done before the disk begins to fail.
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
                // What a failing read says is checked elsewhere.
                let _ = store.query(&table, Query::new());
                store.flush()
            }
            Self::Swept => store.delete_table(&leaving()?).and_then(|()| store.swept()),
            Self::Scrub => {
                let report = store.scrub()?;
                // A disk that fails is no damage, unless it seems to end too early.
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
