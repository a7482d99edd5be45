//! Commands on data, on a file and on a server: `query`, `stats`, `scrub`, `backup`, `compact`.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod copy;
mod files;
mod kept_log;
mod query;
pub(crate) mod secrets;
mod served;
mod stats;
mod unfinished;
mod versions;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use table_store::{
    BlockingStore, Entity, Metadata, Operation, Store,
    blob::{BlobAddress, PutBlob},
    queue::PutMessage,
};

/// The output of a command.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) errors: String,
}

impl Answer {
    fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }

    fn lines(&self) -> Vec<Value> {
        assert_eq!(self.code, 0, "{self:?}");
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub(crate) fn tables(arguments: &[&str]) -> Answer {
    let output = Command::new(env!("CARGO_BIN_EXE_tables"))
        .args(arguments)
        .env_remove("TABLES_STORE")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    Answer {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A directory with a closed store that contains data of all kinds.
pub(crate) struct Company {
    folder: tempfile::TempDir,
}

impl Company {
    pub(crate) fn new() -> Self {
        let company = Self { folder: tempfile::tempdir().unwrap() };
        let store = company.open();
        fill(&store);
        store.close().unwrap();
        company
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.file("company.tables")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn open(&self) -> BlockingStore {
        Store::open(self.path()).unwrap().blocking()
    }

    /// Runs a command with the store as an additional argument.
    fn call(&self, arguments: &[&str]) -> Answer {
        let path = self.path();
        tables(&[arguments, &["--store", text(&path)]].concat())
    }
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Writes 250 employees in two partitions, a few with additional data; a queue, a blob.
fn fill(store: &BlockingStore) {
    let table = "Employees".parse().unwrap();
    store.create_table(&table).unwrap();
    for (partition, count) in [("Marketing", 50_i32), ("Sales", 200)] {
        let employee = |row: i32| {
            let employee = Entity::new(partition, format!("{row:04}")).with("Age", 20 + row % 40);
            Operation::Insert(if row == 7 {
                employee.with("Name", "Jo").with("Salary", 7_i64)
            } else {
                employee
            })
        };
        for first in (0..count).step_by(50) {
            store.transact(&table, (first..first + 50).map(employee).collect::<Vec<_>>()).unwrap();
        }
    }
    let queue = "work".parse().unwrap();
    store.create_queue(&queue, Metadata::new()).unwrap();
    store.put_message(&queue, PutMessage::new("photo 7")).unwrap();
    store.create_container(&"photos".parse().unwrap(), Metadata::new()).unwrap();
    let blob = BlobAddress::new("photos", "jo.jpg").unwrap();
    store.put_blob(&blob, vec![7; 5_000].into(), PutBlob::new()).unwrap();
}
