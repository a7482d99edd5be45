//! Queries in descending order, and the segment before a segment.

use std::time::Duration;

use table_store::{
    BlockingStore, Condition, Continuation, ErrorCode, MemoryDisk, OpenOptions, Operation, Query, Row,
};

use crate::embedded::{
    queries::{Ticking, fill, filter, segments},
    support::{code, on_disk, put, store, table, with_table},
};

fn keys(rows: impl IntoIterator<Item = Row>) -> Vec<String> {
    rows.into_iter().map(|row| row.row_key.unwrap()).collect()
}

/// Returns the keys of all segments, after checking that they end at the limits of the query.
fn all(store: &BlockingStore, query: &Query) -> Vec<String> {
    let found = segments(store, query);
    let most = query.top.map_or(1000, |top| top as usize);
    assert!(found.iter().all(|segment| segment.rows.len() <= most));
    keys(found.into_iter().flat_map(|segment| segment.rows))
}

fn delete(store: &BlockingStore, row: &str) {
    let (partition_key, row_key) = ("Sales".to_owned(), row.to_owned());
    store
        .execute(&table(), Operation::Delete { partition_key, row_key, condition: Condition::Exists })
        .unwrap();
}

#[test]
fn descending_segments_are_the_reverse_of_ascending_ones() {
    let store = store();
    fill(&store, 1001);
    let found = segments(&store, &Query::new().descending());
    assert_eq!(found.iter().map(|segment| segment.rows.len()).collect::<Vec<_>>(), [1000, 1]);
    assert_eq!(found.iter().map(|segment| segment.stats.read).sum::<u64>(), 1001);
    let text = "PartitionKey eq 'Sales' and (RowKey eq '00003' or (RowKey ge '00010' and RowKey lt '00014') or RowKey eq '00050')";
    for text in [
        text,
        "RowKey gt '00990'",
        "Age lt 20",
        "PartitionKey gt 'Sales'",
        "RowKey le '00007' and Half eq true",
    ] {
        for top in [1, 2, 3, 7, 1000] {
            let query = Query::new().filter(filter(text)).top(top);
            let expected: Vec<_> = all(&store, &query).into_iter().rev().collect();
            let found = segments(&store, &query.clone().descending());
            let [reads, reads_back] = [&segments(&store, &query), &found]
                .map(|segments| segments.iter().map(|segment| segment.stats.read).sum::<u64>());
            assert_eq!(reads_back, reads, "{text}, top {top}");
            assert_eq!(
                keys(found.into_iter().flat_map(|segment| segment.rows)),
                expected,
                "{text}, top {top}"
            );
        }
    }
}

#[test]
fn descending_segments_end_at_the_limits_of_time_and_bytes() {
    let options = OpenOptions::new().clock(Ticking::default()).segment_time(Duration::from_secs(3));
    let store = with_table(&options);
    fill(&store, 500);
    let found = segments(&store, &Query::new().filter(filter("Age lt 100")).descending());
    assert!(found.len() > 2 && found.iter().any(|segment| segment.rows.is_empty()), "{}", found.len());
    assert_eq!(found.iter().map(|segment| segment.stats.read).sum::<u64>(), 500);
    assert_eq!(found.iter().map(|segment| segment.rows.len()).sum::<usize>(), 100);
    let found = segments(&store, &Query::new().descending().read_bytes(1));
    assert!(found.iter().all(|segment| segment.stats.read == 1));
    assert_eq!(found.len(), 500);
}

/// Rows in the file, in a log, and both; some of them replaced or deleted. The store is reopened in between.
#[test]
fn rows_in_memory_and_in_the_file_are_merged_backward() {
    let disk = MemoryDisk::new();
    let mut store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    fill(&store, 300);
    for round in 0..6_usize {
        for n in (round..320).step_by(7) {
            put(&store, &format!("{n:05}"), -1);
        }
        for n in (round..300).step_by(11) {
            if store.get(&table(), "Sales", &format!("{n:05}"), None).unwrap().is_some() {
                delete(&store, &format!("{n:05}"));
            }
        }
        for query in [Query::new(), Query::new().filter(filter("RowKey ge '00050' and RowKey lt '00061'"))] {
            let forward = all(&store, &query);
            for top in [1, 10, 1000] {
                let back = all(&store, &query.clone().descending().top(top));
                assert!(back.iter().rev().eq(&forward), "round {round}, top {top}");
            }
        }
        if round % 2 == 1 {
            store.close().unwrap();
            store = on_disk(disk.clone());
        }
    }
}

#[test]
fn a_token_belongs_to_its_order() {
    let store = store();
    fill(&store, 10);
    for query in [Query::new().top(4), Query::new().top(4).descending()] {
        let token = store.query(&table(), query.clone()).unwrap().continuation.unwrap();
        let other = Query { descending: !query.descending, ..query.clone() };
        assert_eq!(code(store.query(&table(), other.continuation(token.clone()))), ErrorCode::InvalidInput);
        assert_eq!(store.query(&table(), query.continuation(token)).unwrap().rows.len(), 4);
    }
}

#[test]
fn the_previous_token_reads_the_rows_before_a_segment() {
    let store = store();
    fill(&store, 20);
    for descending in [false, true] {
        let query = Query {
            descending,
            ..Query::new().top(4).filter(filter("PartitionKey eq 'Sales' and RowKey ge '00002'"))
        };
        let at = |token: Option<Continuation>, turned: bool| {
            let query = Query { continuation: token, descending: descending != turned, ..query.clone() };
            store.query(&table(), query).unwrap()
        };
        let first = at(None, false);
        assert_eq!(first.previous, None);
        let second = at(first.continuation.clone(), false);
        let before = at(second.previous.clone(), true);
        assert!(keys(before.rows.clone()).iter().rev().eq(&keys(first.rows.clone())));
        assert_eq!(before.continuation, None, "no row is before the first");
        assert_eq!(keys(at(before.previous, false).rows), keys(second.rows), "and forward again");
        // Exactly the rows on the other side, after changes on both sides.
        let third = at(second.continuation, false);
        let next = keys(third.rows)[0].clone();
        delete(&store, &next);
        put(&store, &format!("{next}x"), 1);
        let after = at(third.previous.clone(), true);
        let all_before = keys(after.rows);
        let rest = keys(at(after.previous, false).rows);
        assert!(!all_before.contains(&rest[0]) && rest[0] != next);
        put(&store, &next, 1);
        delete(&store, &format!("{next}x"));
    }
}
