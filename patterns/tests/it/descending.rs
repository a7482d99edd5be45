//! Queries in descending order, and previous pages.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::ops::RangeInclusive;

use proptest::prelude::*;
use table_patterns::{Cursor, CursorError, FromRow, OrderError, Page, Query, prelude::*};
use table_store::{Store, TableService};
use table_tests::forward;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "s_{id:06}", borrowed)]
#[table(index(by_age, row = "age_{age:03}_{id:06}"))]
#[table(index(by_name, partition = "name_{team}", row = "{name}_{id:06}"))]
struct Staff {
    team: String,
    id: u32,
    age: u16,
    name: String,
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Staff)]
struct Name {
    id: u32,
    name: String,
}

/// A version of a document, the newest first: all formats in descending order.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "Versions",
    partition = "{document}",
    row = "{major:inverted_04}_{change:inverted_ord}_{day:inverted_%Y-%m-%d}_{score:inverted_ord}"
)]
struct Version {
    document: String,
    major: u16,
    change: i64,
    day: Timestamp,
    score: f64,
}

fn run<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

fn staff(id: u32) -> Staff {
    let (age, name) = (u16::try_from(20 + id * 7 % 40).unwrap(), format!("N{}", id * 13 % 50));
    Staff { team: "Sales".into(), id, age, name }
}

fn company(ids: impl IntoIterator<Item = u32>) -> Tables {
    let tables = Tables::in_memory().unwrap();
    let all: Vec<Staff> = ids.into_iter().map(staff).collect();
    run(tables.bulk().insert_all(&all).run()).unwrap().into_result().unwrap();
    tables
}

fn ids(staff: &[Stored<Staff>]) -> Vec<u32> {
    staff.iter().map(|staff| staff.id).collect()
}

/// Checks that a query in descending order returns the reverse, by all methods, at the same cost.
fn is_reversed<Q: Query>(tables: &Tables, query: &Q, id: impl Fn(&<Q::Row as FromRow>::Out) -> u32) {
    let ids = |items: &[<Q::Row as FromRow>::Out]| items.iter().map(&id).collect::<Vec<u32>>();
    let forward = run(query.report(tables)).unwrap();
    let expected: Vec<u32> = ids(&forward.items).into_iter().rev().collect();
    let back = query.clone().descending();
    let report = run(back.report(tables)).unwrap();
    assert_eq!(ids(&report.items), expected);
    assert_eq!(report.stats, forward.stats);
    assert_eq!(run(back.count(tables)).unwrap(), expected.len() as u64);
    assert_eq!(run(back.exists(tables)).unwrap(), !expected.is_empty());
    for size in [1, 3, 7] {
        let paged = back.clone().page_size(size);
        assert_eq!(by_pages(&paged, tables, ids).concat(), expected);
        let few = run(paged.clone().take(5).all(tables)).unwrap();
        assert_eq!(ids(&few), expected.iter().copied().take(5).collect::<Vec<_>>());
        for stop in [0, 1, 4, expected.len()] {
            let mut stream = paged.stream(tables);
            let mut found = Vec::new();
            for _ in 0..stop.min(expected.len()) {
                found.push(id(&run(stream.try_next()).unwrap().unwrap()));
            }
            if let Some(cursor) = stream.cursor() {
                found.extend(ids(&run(back.clone().resume(cursor).all(tables)).unwrap()));
            }
            assert_eq!(found, expected, "stopped after {stop}");
        }
    }
}

/// Reads all pages forward, and back from each of them. Returns the items of each page.
fn by_pages<Q: Query, T: PartialEq + std::fmt::Debug>(
    query: &Q,
    tables: &Tables,
    of: impl Fn(&[<Q::Row as FromRow>::Out]) -> Vec<T>,
) -> Vec<Vec<T>> {
    let read = |cursor: &Option<Cursor>| {
        let query = query.clone();
        let resumed = match cursor {
            Some(cursor) => query.resume(cursor.to_string().parse().unwrap()),
            None => query,
        };
        run(resumed.page(tables)).unwrap()
    };
    let mut pages: Vec<Vec<T>> = Vec::new();
    let mut cursor = None;
    loop {
        let page: Page<_> = read(&cursor);
        assert_eq!(page.previous.is_some(), !pages.is_empty());
        let (mut next, mut previous) = (page.cursor.clone(), page.previous);
        pages.push(of(&page.items));
        for (number, expected) in pages.iter().enumerate().rev().skip(1) {
            let before = read(&previous);
            assert_eq!(&of(&before.items), expected, "page {number} of {}", pages.len());
            let again = read(&before.cursor);
            assert_eq!(of(&again.items), pages[number + 1], "the page after it");
            previous = before.previous;
        }
        cursor = next.take();
        if cursor.is_none() {
            return pages;
        }
    }
}

#[test]
fn every_kind_of_query_is_read_backward() {
    let tables = company(0..50);
    is_reversed(&tables, &Staff::rows("Sales"), |row| row.id);
    is_reversed(&tables, &Staff::rows("Sales").between(10..=30), |row| row.id);
    is_reversed(&tables, &Staff::rows("Sales").between(60..), |row| row.id);
    is_reversed(&tables, &Staff::by_age_rows("Sales"), |row| row.id);
    is_reversed(&tables, &Staff::by_age_rows("Sales").between(25..40), |row| row.id);
    is_reversed(&tables, &Staff::by_age_rows("Sales").at(27), |row| row.id);
    is_reversed(&tables, &Staff::by_name_rows("Sales"), |row| row.id);
    is_reversed(&tables, &Staff::by_name_rows("Sales").starts_with("N1"), |row| row.id);
    is_reversed(&tables, &Staff::by_name_rows("Sales").starts_with("N1").validated(), |row| row.id);
    let explain = Staff::rows("Sales").descending().take(3).explain().unwrap().to_string();
    assert!(explain.starts_with("row-range on Staff, descending, at most 3"), "{explain}");
}

#[test]
fn scans_are_read_backward() {
    let tables = company(0..50);
    let scan = Staff::scan_partition("Sales").filter(|staff| staff.age.ge(40));
    let forward = ids(&run(scan.all(&tables)).unwrap());
    let back = run(scan.clone().descending().all(&tables)).unwrap();
    assert!(forward.iter().rev().eq(&ids(&back)) && !back.is_empty());
    let page = run(scan.descending().page_size(4).page(&tables)).unwrap();
    assert_eq!(ids(&page.items), ids(&back)[..4]);
}

#[test]
fn projections_and_rows_in_place_are_read_backward() {
    let tables = company(0..20);
    let query = Staff::rows("Sales").select::<Name>();
    let of = |names: &[Name]| names.iter().map(|name| name.id).collect::<Vec<_>>();
    let pages = by_pages(&query.clone().descending().page_size(6), &tables, of);
    assert_eq!(pages.concat(), (0..20).rev().collect::<Vec<_>>());
    assert_eq!(by_pages(&query.page_size(6), &tables, of).concat(), (0..20).collect::<Vec<_>>());
    let mut found = Vec::new();
    run(Staff::rows("Sales").descending().take(3).for_each(&tables, |staff| found.push(staff.id))).unwrap();
    assert_eq!(found, [19, 18, 17]);
}

#[test]
fn long_partitions_have_exact_pages_in_both_orders() {
    let tables = company(0..2_300);
    let all = run(Staff::rows("Sales").descending().report(&tables)).unwrap();
    assert_eq!((all.stats.requests, all.stats.read), (3, 2_300));
    assert!(ids(&all.items).into_iter().eq((0..2_300).rev()));
    let newest = run(Staff::rows("Sales").descending().take(10).report(&tables)).unwrap();
    assert_eq!((newest.items.len(), newest.stats.requests, newest.stats.read), (10, 1, 10));
    for query in [Staff::rows("Sales"), Staff::rows("Sales").descending()] {
        assert_eq!(
            by_pages(&query, &tables, ids).iter().map(Vec::len).collect::<Vec<_>>(),
            [1000, 1000, 300]
        );
    }
}

#[test]
fn previous_pages_contain_changes_in_between() {
    let tables = company((0..40).map(|id| 2 * id));
    let query = Staff::rows("Sales").page_size(4);
    let page = |cursor: Option<Cursor>| run(query.clone().resume(cursor.unwrap()).page(&tables)).unwrap();
    let first = run(query.page(&tables)).unwrap();
    let second = page(first.cursor);
    let third = page(second.cursor);
    assert_eq!(ids(&third.items), [16, 18, 20, 22]);
    run(tables.delete_at(Staff::point("Sales", 12))).unwrap();
    run(tables.delete_at(Staff::point("Sales", 16))).unwrap();
    run(tables.insert(&staff(9))).unwrap();
    let before = page(third.previous);
    assert_eq!(ids(&before.items), [8, 9, 10, 14]);
    assert_eq!(ids(&page(before.cursor).items), [18, 20, 22, 24]);
    let start = page(before.previous);
    assert_eq!((ids(&start.items), start.previous), (vec![0, 2, 4, 6], None));
}

#[test]
fn take_counts_over_previous_pages() {
    let tables = company(0..30);
    let query = Staff::rows("Sales").take(10).page_size(4);
    let pages = by_pages(&query, &tables, ids);
    assert_eq!(pages.concat(), (0..10).collect::<Vec<_>>());
    let page = |cursor: Option<Cursor>| run(query.clone().resume(cursor.unwrap()).page(&tables)).unwrap();
    let last = page(page(run(query.page(&tables)).unwrap().cursor).cursor);
    assert_eq!((ids(&last.items), last.cursor), (vec![8, 9], None));
    let again = page(page(last.previous).cursor);
    assert_eq!((ids(&again.items), again.cursor), (vec![8, 9], None), "the limit still applies");
}

#[test]
fn cursors_belong_to_their_order_and_previous_pages_to_page() {
    let tables = company(0..20);
    let query = Staff::rows("Sales").page_size(5);
    let first = run(query.page(&tables)).unwrap();
    let cursor = first.cursor.unwrap();
    let error = run(query.clone().descending().resume(cursor.clone()).all(&tables)).unwrap_err();
    assert!(matches!(error, Error::Cursor(CursorError::OtherQuery { .. })), "{error}");
    let second = run(query.clone().resume(cursor).page(&tables)).unwrap();
    let back = query.resume(second.previous.unwrap());
    for error in [
        run(back.all(&tables)).unwrap_err(),
        run(back.count(&tables)).unwrap_err(),
        run(back.stream(&tables).try_next()).unwrap_err(),
        run(back.for_each(&tables, |_| ())).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Cursor(CursorError::PreviousPage)), "{error}");
    }
    assert_eq!(ids(&run(back.page(&tables)).unwrap().items), [0, 1, 2, 3, 4]);
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 5))]
struct Event {
    at: Timestamp,
    device: u32,
    level: i32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Logs{at:%Y%m%d}", partition = "{user}", row = "{at:ticks}")]
struct Log {
    user: String,
    at: Timestamp,
    level: i32,
}

/// Checks that all items, pages and streams of a query in several places are reversed.
fn is_reversed_in_all_places<Q: Query>(
    tables: &Tables,
    query: &Q,
    of: impl Fn(&<Q::Row as FromRow>::Out) -> i32,
) {
    let mut expected: Vec<i32> = run(query.all(tables)).unwrap().iter().map(&of).collect();
    assert!(expected.len() > 7);
    expected.reverse();
    let back = query.clone().descending();
    for size in [1, 4, 1000] {
        let query = back.clone().page_size(size);
        let (mut found, mut cursor) = (Vec::new(), None);
        loop {
            let query = query.clone();
            let query = if let Some(cursor) = cursor { query.resume(cursor) } else { query };
            let page = run(query.page(tables)).unwrap();
            assert!(page.previous.is_none());
            found.extend(page.items.iter().map(&of));
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "pages of {size}");
        let mut stream = query.stream(tables);
        let mut found: Vec<_> = (0..5).map(|_| of(&run(stream.try_next()).unwrap().unwrap())).collect();
        let rest = run(query.resume(stream.cursor().unwrap()).all(tables)).unwrap();
        found.extend(rest.iter().map(&of));
        assert_eq!(found, expected, "a stream of {size}");
    }
}

#[test]
fn several_partitions_and_tables_are_read_backward() {
    let tables = Tables::in_memory().unwrap();
    let at = |n: i32| Timestamp::from_date(2014, 7, 1 + u8::try_from(n / 7).unwrap()).unwrap();
    for n in 0..40 {
        let device = u32::try_from(n * 7 % 11).unwrap();
        run(tables.insert(&Event { at: at(n), device, level: n })).unwrap();
        let at = Timestamp::from_ticks(at(n).ticks() + i64::from(n)).unwrap();
        run(tables.insert(&Log { user: "jo".into(), at, level: n })).unwrap();
    }
    is_reversed_in_all_places(&tables, &Event::rows(), |event| event.level);
    is_reversed_in_all_places(&tables, &Event::rows().between(at(8)..at(30)), |event| event.level);
    is_reversed_in_all_places(&tables, &Log::rows("jo"), |log| log.level);
    is_reversed_in_all_places(&tables, &Log::rows("jo").between(at(8)..at(30)), |log| log.level);
    is_reversed_in_all_places(&tables, &Log::rows("jo").scan(|log| log.level.ge(4)), |log| log.level);
}

/// The store as a service that cannot read backward, such as a remote one.
#[derive(Debug)]
struct Forward(Store, table_store::Capabilities);

impl TableService for Forward {
    forward!(self, to self.0 => create_table delete_table list_tables find query execute transact);

    fn capabilities(&self) -> &table_store::Capabilities {
        &self.1
    }
}

#[test]
fn orders_that_cannot_be_read_are_errors() {
    let store = Store::in_memory().unwrap();
    let mut capabilities = store.capabilities().clone();
    (capabilities.reads_backward, capabilities.name) = (false, "azure");
    let tables = Tables::new(Forward(store, capabilities));
    run(tables.insert(&staff(1))).unwrap();
    let error = run(Staff::rows("Sales").descending().all(&tables)).unwrap_err();
    assert!(matches!(error, Error::Order(OrderError::Backend { backend: "azure" })), "{error}");
    assert!(error.to_string().contains("`{version:inverted_06}`"), "{error}");

    let points: MultiPoint<_> = (0..3).map(|id| Staff::point("Sales", id)).collect();
    let error = run(points.descending().all(&company(0..3))).unwrap_err();
    assert!(matches!(error, Error::Order(OrderError::Class { .. })), "{error}");
}

fn version(major: u16, change: i64, score: f64) -> Version {
    let day = Timestamp::from_date(2014, 7, u8::try_from(major % 28).unwrap() + 1).unwrap();
    Version { document: "a".into(), major, change, day, score }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn descending_keys_return_the_greatest_first(
        keys in proptest::collection::btree_set((0_u16..40, -3_i64..3, -2_i8..2), 1..40),
        from in 0_u16..40,
        to in 0_u16..40,
    ) {
        let versions: Vec<Version> = keys
            .into_iter()
            .map(|(major, change, score)| version(major, change * (i64::MAX / 3), f64::from(score) / 4.0))
            .collect();
        let tables = Tables::in_memory().unwrap();
        run(tables.bulk().insert_all(&versions).run()).unwrap().into_result().unwrap();
        let expected = |range: RangeInclusive<u16>| {
            versions.iter().rev().filter(|version| range.contains(&version.major)).cloned().collect::<Vec<_>>()
        };
        let read = |report: table_patterns::Report<Stored<Version>>| {
            assert_eq!(report.stats.read, report.stats.returned);
            report.items.into_iter().map(Stored::into_inner).collect::<Vec<_>>()
        };
        prop_assert_eq!(read(run(Version::rows("a").report(&tables)).unwrap()), expected(0..=40));
        let range = Version::rows("a").between(from..=to);
        prop_assert_eq!(read(run(range.report(&tables)).unwrap()), expected(from..=to));
        // Ascending again.
        let mut back = read(run(range.descending().report(&tables)).unwrap());
        back.reverse();
        prop_assert_eq!(back, expected(from..=to));
        let negative = Version::rows("a").at(from).between(..0);
        let negative = read(run(negative.report(&tables)).unwrap());
        prop_assert_eq!(negative, expected(from..=from).into_iter().filter(|version| version.change < 0).collect::<Vec<_>>());
    }
}
