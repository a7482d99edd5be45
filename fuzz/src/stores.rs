//! Small, deterministic stores.

use std::io;
use table_store::{BlockingStore, Clock, Entity, OpenOptions, Operation, Random, TableName, Timestamp};

#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

#[derive(Debug)]
struct Constant;

impl Random for Constant {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        bytes.fill(0x5a);
        Ok(())
    }
}

/// Returns options that produce identical store files in every run.
pub fn options() -> OpenOptions {
    OpenOptions::new().clock(Standing).random(Constant).cache_bytes(1 << 20)
}

/// Returns the name of the only table.
pub fn table() -> TableName {
    "Employees".parse().expect("a legal name")
}

/// Creates the table with `count` rows.
pub fn fill(store: &BlockingStore, count: i32) {
    store.create_table(&table()).expect("it is new");
    for number in 0..count {
        let entity = Entity::new("Sales", format!("{number:05}")).with("Age", number).with("Name", "Jo");
        store.execute(&table(), Operation::Insert(entity)).expect("it is new");
    }
}
