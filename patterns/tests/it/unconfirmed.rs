//! A backend whose reads return writes that it may lose: a read proves nothing before the backend confirms it.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use table_patterns::prelude::*;
use table_store::{ETag, Operation, Store, TableError, TableName, TableService, Written, service::Pending};
use table_tests::forward;

/// An entity with an index row in its partition, so that its rows contain a token of the attempt.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Rooms", partition = "{house}", row = "n_{number:03}")]
#[table(index(by_floor, row = "f_{floor:04}_{number:03}", copy()))]
struct Room {
    house: String,
    number: u16,
    floor: i32,
}

fn room(number: u16) -> Room {
    Room { house: "a".into(), number, floor: 1 }
}

/// A store. The response to a transaction is lost.
#[derive(Clone, Debug)]
struct Lossy {
    store: Store,
    is_durable: Arc<AtomicBool>,
    confirmed: Arc<AtomicUsize>,
}

impl TableService for Lossy {
    forward!(self, to self.store => capabilities create_table delete_table list_tables find query execute list_outbox);

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        let written = self.store.transact(table, operations);
        Box::pin(async move {
            written.await?;
            Err(TableError::no_response("the response was lost"))
        })
    }

    fn confirm<'a>(&'a self, _: &'a TableName, _: &'a str, _: &'a str, _: &'a ETag) -> Pending<'a, bool> {
        self.confirmed.fetch_add(1, SeqCst);
        Box::pin(async { Ok(self.is_durable.load(SeqCst)) })
    }
}

#[test]
fn a_write_is_acknowledged_when_its_proof_is_confirmed() {
    let (is_durable, confirmed) = (Arc::new(AtomicBool::new(true)), Arc::default());
    let lossy = Lossy { store: Store::in_memory().unwrap(), is_durable, confirmed };
    let tables = Tables::new(lossy.clone());
    let b = tables.blocking();
    b.insert(&room(1)).unwrap();
    assert_eq!(lossy.confirmed.load(SeqCst), 1);
    lossy.is_durable.store(false, SeqCst);
    let error = b.insert(&room(2)).expect_err("acknowledged, though it may get lost");
    assert!(error.is_outcome_unknown(), "{error}");
    assert!(lossy.confirmed.load(SeqCst) > 1);
}
