//! Continuation tokens: they are valid for their query, also after a restart, and for nothing else.

use table_store::{
    Condition, Continuation, ErrorCode, MemoryDisk, OpenOptions, Operation, Query, Random, TableName,
};

use crate::embedded::{
    queries::{fill, filter},
    support::{code, on_disk, put, store, table},
};

fn token(store: &table_store::BlockingStore, query: &Query) -> Continuation {
    store.query(&table(), query.clone()).unwrap().continuation.unwrap()
}

#[test]
fn a_token_is_good_after_a_restart_and_with_another_top_and_selection() {
    let disk = MemoryDisk::new();
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    fill(&store, 30);
    let query = Query::new().filter(filter("Age ge 5")).top(10);
    let token = token(&store, &query);
    store.close().unwrap();

    let store = on_disk(disk);
    let next = query.top(3).select(["RowKey"]).continuation(token.as_str().parse().unwrap());
    let keys: Vec<_> =
        store.query(&table(), next).unwrap().rows.into_iter().map(|row| row.row_key.unwrap()).collect();
    assert_eq!(keys, ["00015", "00016", "00017"]);
}

#[test]
fn a_token_survives_changes_around_its_place() {
    let store = store();
    fill(&store, 10);
    let token = token(&store, &Query::new().top(4));
    let delete = |row: &str| {
        let (partition_key, row_key) = ("Sales".to_owned(), row.to_owned());
        store
            .execute(&table(), Operation::Delete { partition_key, row_key, condition: Condition::Exists })
            .unwrap();
    };
    delete("00004");
    delete("00003");
    put(&store, "000045", 1);
    let next = store.query(&table(), Query::new().top(2).continuation(token)).unwrap();
    let keys: Vec<_> = next.rows.into_iter().map(|row| row.row_key.unwrap()).collect();
    assert_eq!(keys, ["000045", "00005"]);
}

#[test]
fn a_token_of_another_table_filter_or_store_is_refused() {
    let store = store();
    fill(&store, 10);
    let other: TableName = "Other".parse().unwrap();
    store.create_table(&other).unwrap();
    let plain = token(&store, &Query::new().top(4));
    let filtered = token(&store, &Query::new().top(4).filter(filter("Age ge 0")));
    let refused = |table: &TableName, query: Query, token: &Continuation| {
        assert_eq!(code(store.query(table, query.continuation(token.clone()))), ErrorCode::InvalidInput);
    };
    refused(&other, Query::new(), &plain);
    refused(&table(), Query::new(), &filtered);
    refused(&table(), Query::new().filter(filter("Age ge 0")), &plain);
    refused(&table(), Query::new().filter(filter("Age ge 1")), &filtered);
    let list = table_store::service::ListTables::new().continuation(plain.clone());
    assert_eq!(code(store.list_tables(list)), ErrorCode::InvalidInput);

    let stranger = crate::embedded::support::store();
    fill(&stranger, 10);
    assert_eq!(code(stranger.query(&table(), Query::new().continuation(plain))), ErrorCode::InvalidInput);
}

#[test]
fn a_token_does_not_fit_a_table_that_was_made_anew() {
    let store = store();
    fill(&store, 10);
    let old = token(&store, &Query::new().top(4));
    store.delete_table(&table()).unwrap();
    store.swept().unwrap();
    store.create_table(&table()).unwrap();
    fill(&store, 10);
    assert_eq!(code(store.query(&table(), Query::new().continuation(old))), ErrorCode::InvalidInput);
}

#[test]
fn every_changed_character_is_refused() {
    let store = store();
    fill(&store, 3);
    let good = token(&store, &Query::new().top(1));
    for at in 0..good.as_str().len() {
        for with in ["A", "b", "-", "~"] {
            let mut bent = good.as_str().to_owned();
            bent.replace_range(at..=at, with);
            if bent == good.as_str() {
                continue;
            }
            let query = Query::new().continuation(Continuation::new(bent.clone()).unwrap());
            assert_eq!(code(store.query(&table(), query)), ErrorCode::InvalidInput, "{bent}");
        }
    }
    assert!(store.query(&table(), Query::new().continuation(good)).is_ok());
}

#[test]
fn tokens_are_safe_in_urls_and_headers() {
    let store = store();
    for n in 0..40 {
        put(&store, &format!("{n}\u{10000}\u{ffff}~"), n);
    }
    for top in 1..40 {
        let token = token(&store, &Query::new().top(top));
        assert!(
            token.as_str().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'),
            "{token}"
        );
    }
}

/// A source that returns the same value for every byte.
#[derive(Debug)]
struct Same(u8);

impl Random for Same {
    fn fill(&self, bytes: &mut [u8]) -> std::io::Result<()> {
        bytes.fill(self.0);
        Ok(())
    }
}

#[test]
fn a_store_that_is_printed_shows_neither_its_token_key_nor_its_data() {
    let store = OpenOptions::new().random(Same(0xa7)).in_memory().unwrap().blocking();
    store.create_table(&table()).unwrap();
    fill(&store, 100);
    let printed = format!("{store:?}");
    assert!(printed.len() < 10_000, "{} bytes", printed.len());
    assert!(!printed.contains("167, 167"), "{printed}");
}

#[test]
fn a_store_shows_no_record_and_so_not_the_key_that_seals_tokens() {
    let store = OpenOptions::new().in_memory().unwrap();
    let table = TableName::new("Employees").unwrap();
    store.clone().blocking().create_table(&table).unwrap();
    // A read takes a snapshot of the last commit, which is retained.
    store.clone().blocking().query(&table, Query::default()).unwrap();
    let shown = format!("{store:?}");
    assert!(shown.contains("Latest") && !shown.contains("records"), "{shown}");
}
