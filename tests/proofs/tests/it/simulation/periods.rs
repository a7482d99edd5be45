//! Tables per period: inserts while another client deletes the table, and catch-up without a list of commit records.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Stepped, Unreliable, World};
use table_store::{MapStorage, OpenOptions, TableName, TableService};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
struct Login {
    user: String,
    at: Timestamp,
}

/// Inserts an entity. After each creation of the table, another client deletes it, at most `times` times.
fn insert(times: usize) -> Result<()> {
    let service = Unreliable::new(
        OpenOptions::new().open_map(MapStorage::default()).unwrap(),
        World::new(1, Faults::default()),
    );
    let tables = Tables::new(service.clone());
    let login = Login { user: "jo".into(), at: "2014-07-31T09:00:00Z".parse().unwrap() };
    let (table, mut left) = (TableName::new("Logins20140731").unwrap(), times);
    let mut work = Stepped::new(tables.insert(&login));
    while work.advance(1) {
        if left > 0 && block_on(service.store().delete_table(&table)).is_ok() {
            left -= 1;
        }
    }
    work.finish().map(drop)
}

#[test]
fn insert_recreates_a_dropped_table() {
    for times in 0..4 {
        insert(times).unwrap();
    }
    let error = insert(usize::MAX).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::TableNotFound));
}

#[test]
fn catching_up_skips_tables_per_period() {
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let service = Unreliable::new(store, World::new(1, Faults::default())).without_marks();
    let tables = Tables::new(service);
    tables.register_entity::<Login>();
    assert_eq!(block_on(async { tables.catch_up().await }).unwrap().followed, 0);
}
