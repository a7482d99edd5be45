//! Queries: order, segments, selections and statistics.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use table_store::{
    BlockingStore, Clock, Entity, ErrorCode, Filter, Name, OpenOptions, Operation, Query, QueryClass, Row,
    Segment, Timestamp,
};

use crate::embedded::support::{code, entity, store, table, with_table};

pub(crate) fn fill(store: &BlockingStore, rows: usize) {
    for chunk in (0..rows).collect::<Vec<_>>().chunks(100) {
        let write = |n: &usize| {
            Operation::InsertOrReplace(
                entity(&format!("{n:05}"), i32::try_from(*n).unwrap()).with("Half", n.is_multiple_of(2)),
            )
        };
        store.transact(&table(), chunk.iter().map(write).collect::<Vec<_>>()).unwrap();
    }
}

pub(crate) fn filter(text: &str) -> Filter {
    Filter::parse(text).unwrap()
}

/// Returns all segments of a query.
pub(crate) fn segments(store: &BlockingStore, query: &Query) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    loop {
        let mut next = query.clone();
        if let Some(last) = segments.last() {
            next.continuation.clone_from(&last.continuation);
        }
        segments.push(store.query(&table(), next).unwrap());
        if segments.last().unwrap().continuation.is_none() {
            return segments;
        }
    }
}

fn rows(segments: &[Segment]) -> Vec<Row> {
    segments.iter().flat_map(|segment| segment.rows.clone()).collect()
}

#[test]
fn a_segment_holds_a_thousand_and_the_next_goes_on_behind_it() {
    let store = store();
    fill(&store, 1001);
    let found = segments(&store, &Query::new());
    assert_eq!(found.iter().map(|segment| segment.rows.len()).collect::<Vec<_>>(), [1000, 1]);
    let keys: Vec<_> = rows(&found).iter().map(|row| row.row_key.clone().unwrap()).collect();
    assert_eq!(keys, (0..1001).map(|n| format!("{n:05}")).collect::<Vec<_>>());
}

#[test]
fn no_token_is_given_where_nothing_can_follow() {
    let store = store();
    fill(&store, 20);
    for (query, sizes) in [
        (Query::new().top(20), vec![20]),
        (Query::new().top(10), vec![10, 10]),
        (Query::new().top(7), vec![7, 7, 6]),
        // The ranges end there, regardless of later rows of the table.
        (Query::new().filter(filter("PartitionKey eq 'Sales' and RowKey lt '00010'")).top(10), vec![10]),
    ] {
        let found = segments(&store, &query);
        assert_eq!(found.iter().map(|segment| segment.rows.len()).collect::<Vec<_>>(), sizes);
    }
}

#[test]
fn top_is_0_to_1000() {
    let store = store();
    fill(&store, 3);
    let none = store.query(&table(), Query::new().top(0)).unwrap();
    assert!(none.rows.is_empty() && none.continuation.is_none());
    assert_eq!(none.stats.read, 0);
    assert_eq!(store.query(&table(), Query::new().top(1000)).unwrap().rows.len(), 3);
    assert_eq!(code(store.query(&table(), Query::new().top(1001))), ErrorCode::InvalidInput);
}

#[test]
fn only_what_the_plan_covers_is_read_and_all_of_it_is_counted() {
    let store = store();
    fill(&store, 100);
    store.execute(&table(), Operation::Insert(Entity::new("Zzz", "1"))).unwrap();
    let run = |text: &str| store.query(&table(), Query::new().filter(filter(text))).unwrap();
    for (text, class, ranges, read, returned) in [
        ("PartitionKey eq 'Sales' and RowKey eq '00007'", QueryClass::Point, 1, 1, 1),
        ("PartitionKey eq 'Sales' and RowKey eq 'none'", QueryClass::Point, 1, 0, 0),
        (
            "PartitionKey eq 'Sales' and RowKey ge '00010' and RowKey lt '00020'",
            QueryClass::RowRange,
            1,
            10,
            10,
        ),
        ("PartitionKey eq 'Sales' and RowKey lt '00010' and Half eq true", QueryClass::RowRange, 1, 10, 5),
        ("PartitionKey eq 'Sales'", QueryClass::PartitionScan, 1, 100, 100),
        ("Age eq 7", QueryClass::TableScan, 1, 101, 1),
        (
            "PartitionKey eq 'Sales' and (RowKey eq '00007' or RowKey eq '00090' or RowKey eq 'x')",
            QueryClass::MultiPoint,
            3,
            2,
            2,
        ),
    ] {
        let segment = run(text);
        let stats = segment.stats;
        assert_eq!(
            (stats.class, stats.ranges, stats.read, stats.returned),
            (class, ranges, read, returned),
            "{text}"
        );
        assert_eq!(segment.rows.len() as u64, returned);
        assert_eq!(segment.continuation, None);
    }
}

#[test]
fn several_ranges_go_on_in_the_right_one() {
    let store = store();
    fill(&store, 60);
    let text = "PartitionKey eq 'Sales' and (RowKey eq '00003' or (RowKey ge '00010' and RowKey lt '00014') or RowKey eq '00050')";
    for top in 1..8 {
        let found = segments(&store, &Query::new().filter(filter(text)).top(top));
        let keys: Vec<_> = rows(&found).iter().map(|row| row.row_key.clone().unwrap()).collect();
        assert_eq!(keys, ["00003", "00010", "00011", "00012", "00013", "00050"], "top {top}");
    }
}

#[test]
fn what_is_selected_comes_and_nothing_else() {
    let store = store();
    let full = entity("1", 34).with("Name", "Jo").with("Level", 3);
    store.execute(&table(), Operation::Insert(full)).unwrap();
    let selected = |names: &[&'static str]| {
        let query = Query::new().select(names.iter().copied()).filter(filter("Level eq 3"));
        let by_query = store.query(&table(), query).unwrap().rows.into_iter().next().unwrap();
        let names: Vec<Name> = names.iter().map(|name| Name::from(*name)).collect();
        let by_get = store.get(&table(), "Sales", "1", Some(&names)).unwrap().unwrap();
        assert_eq!(by_query, by_get);
        by_get
    };
    let row = selected(&["Name", "RowKey", "Missing"]);
    assert_eq!((row.partition_key, row.row_key.as_deref(), row.timestamp), (None, Some("1"), None));
    assert_eq!(row.properties, [("Name", "Jo")].into_iter().collect());
    let row = selected(&["Timestamp", "PartitionKey"]);
    assert!(row.timestamp.is_some() && row.partition_key.is_some() && row.row_key.is_none());
    assert!(row.properties.is_empty());
    assert_eq!(selected(&["*"]), store.get(&table(), "Sales", "1", None).unwrap().unwrap());
    assert_eq!(selected(&[]).properties.len(), 0);

    let many: Vec<Name> = (0..256).map(|n| format!("P{n}").into()).collect();
    assert_eq!(code(store.get(&table(), "Sales", "1", Some(&many))), ErrorCode::InvalidInput);
    assert_eq!(code(store.query(&table(), Query::new().select(many))), ErrorCode::InvalidInput);
}

#[test]
fn keys_come_in_the_order_of_utf16() {
    let store = store();
    let mut keys = ["b", "a", "", "\u{ffff}", "\u{10000}", "\u{e000}", "\u{d7ff}", "a!", "aa", "\u{a0}"];
    for partition_key in keys {
        for row_key in keys {
            store.execute(&table(), Operation::Insert(Entity::new(partition_key, row_key))).unwrap();
        }
    }
    keys.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    let expected: Vec<_> = keys.iter().flat_map(|p| keys.iter().map(move |r| (*p, *r))).collect();
    let found = segments(&store, &Query::new().top(9));
    let found = rows(&found);
    let got: Vec<_> = found
        .iter()
        .map(|row| (row.partition_key.as_deref().unwrap(), row.row_key.as_deref().unwrap()))
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn a_filter_that_was_built_is_checked() {
    let store = store();
    let many = Filter::Or((0..16).map(|n| Filter::eq("Age", n)).collect());
    assert_eq!(code(store.query(&table(), Query::new().filter(many))), ErrorCode::InvalidInput);
}

#[test]
fn a_segment_ends_when_its_entities_are_large_enough_and_the_next_goes_on() {
    let store = store();
    // 15 values of 64 KiB each: the 69th entity reaches 64 MiB.
    let values = (0..15).map(|n| (format!("P{n}"), vec![0_u8; 65_536]));
    let mut large = Entity::new("Sales", "");
    large.properties = values.collect();
    for n in 0..70 {
        large.row_key = format!("{n:03}");
        store.execute(&table(), Operation::Insert(large.clone())).unwrap();
    }
    let found = segments(&store, &Query::new().select(["RowKey"]));
    assert_eq!(found.iter().map(|segment| segment.rows.len()).collect::<Vec<_>>(), [69, 1]);
    assert_eq!(rows(&found).last().unwrap().row_key.as_deref(), Some("069"));
}

/// A clock that advances by one second per reading.
#[derive(Debug, Default)]
pub(crate) struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        let seconds = self.0.fetch_add(1, Ordering::SeqCst).unsigned_abs();
        Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(seconds))
    }
}

#[test]
fn a_segment_ends_when_its_time_is_over_and_still_comes_further() {
    let options = OpenOptions::new().clock(Ticking::default()).segment_time(Duration::from_secs(3));
    let store = with_table(&options);
    fill(&store, 500);
    let found = segments(&store, &Query::new().filter(filter("Age ge 400")));
    assert!(found.len() > 2, "{} segments", found.len());
    assert!(found.iter().any(|segment| segment.rows.is_empty()), "none was without results");
    assert!(found.iter().all(|segment| segment.stats.read > 0));
    assert_eq!(found.iter().map(|segment| segment.stats.read).sum::<u64>(), 500);
    assert_eq!(rows(&found).len(), 100);

    let hurried = with_table(&options.segment_time(Duration::ZERO));
    fill(&hurried, 200);
    assert_eq!(rows(&segments(&hurried, &Query::new())).len(), 200);
}

#[test]
fn a_segment_ends_when_its_bytes_are_read_and_still_progresses() {
    let store = with_table(&OpenOptions::new());
    fill(&store, 100);
    let all = Query::new().filter(filter("Age ge 95"));
    let [whole] = &*segments(&store, &all) else { panic!("more than one segment") };
    assert_eq!(whole.stats.read, 100);
    for (bytes, most) in [(0, 1), (1, 1), (1_000, 30)] {
        let found = segments(&store, &all.clone().read_bytes(bytes));
        assert!(found.iter().all(|segment| (1..=most).contains(&segment.stats.read)), "{bytes}");
        assert_eq!(found.iter().map(|segment| segment.stats.read).sum::<u64>(), 100);
        assert_eq!(rows(&found).len(), rows(std::slice::from_ref(whole)).len());
    }
}
