//! Rows read in place, compared with the entities that the same query returns.

#![allow(
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a helper of a test fails as a test does"
)]

use std::{
    fmt::Debug,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use table_model::TableService;
use table_patterns::{BorrowRow, Query, RowPolicy, prelude::*};
use table_store::Store;
use table_tests::{forward, seed::Seed};

fn run<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq)]
enum State {
    Open,
    Paid,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shop}", row = "o_{id:06}", entity_type = "Order")]
struct OrderV1 {
    shop: String,
    id: u32,
    title: String,
    note: Option<String>,
}

/// Fields of every kind that has a borrowed form.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{shop}", row = "o_{id:06}", version = 2, from(OrderV1), borrowed)]
#[table(entity_type = "Order")]
#[table(index(by_city, row = "c_{city}_{id:06}"))]
#[table(index(by_state, partition = "state_{state}", row = "s_{shop}_{id:06}"))]
struct Order {
    shop: String,
    id: u32,
    title: String,
    city: String,
    note: Option<String>,
    #[table(default)]
    remark: String,
    state: State,
    hash: Vec<u8>,
    key: Option<Vec<u8>>,
    bytes: [u8; 4],
    weight: Option<f64>,
    placed: Timestamp,
    #[table(skip)]
    seen: bool,
}

impl From<OrderV1> for Order {
    fn from(OrderV1 { shop, id, title, note }: OrderV1) -> Self {
        let city = title.chars().rev().collect();
        let (hash, placed) = (id.to_be_bytes().to_vec(), Timestamp::UNIX_EPOCH);
        let remark = String::new();
        Self {
            shop,
            id,
            title,
            city,
            note,
            remark,
            state: State::Open,
            hash,
            key: None,
            bytes: [1; 4],
            weight: None,
            placed,
            seen: false,
        }
    }
}

/// A later version, which only a newer program knows.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shop}", row = "o_{id:06}", version = 3, oldest = 3)]
#[table(entity_type = "Order")]
struct OrderV3 {
    shop: String,
    id: u32,
    added: i64,
}

/// Another type in the same partitions.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shop}", row = "o_{number:06}")]
struct Return {
    shop: String,
    number: u32,
}

/// No string and no bytes, escaped and repeated key fields, without `EntityType`.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Points", partition = "{area:esc}", row = "{x:ord}_{area:esc}", entity_type = none, borrowed)]
struct Dot {
    area: String,
    x: i32,
    y: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Counters", partition = "{id:04}", row = "{sub:04}", borrowed)]
struct Counter {
    id: u32,
    #[table(store)]
    sub: u32,
    count: i64,
}

/// One table per day, in several partitions.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits{at:%Y%m%d}", partition = "{shop}_{shard:02}", row = "{at:ticks}_{id:06}", borrowed)]
#[table(shard(of = id, count = 4))]
struct Visit {
    shop: String,
    at: Timestamp,
    id: u32,
    page: String,
}

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Order)]
struct Label {
    id: u32,
    title: String,
    weight: Option<f64>,
}

/// The store as a service that returns pages only.
#[derive(Debug)]
struct Paged(Store);

impl TableService for Paged {
    forward!(self, to self.0 => capabilities create_table delete_table list_tables find query execute transact);
}

/// Handles of one store: in place, and by pages.
fn handles() -> [Tables; 2] {
    let store = Store::in_memory().unwrap();
    [Tables::new(store.clone()), Tables::new(Paged(store))]
}

/// Compares the rows of a query, its errors, and its parts, on both handles. Returns the number of rows.
fn compare<Q: Query>(
    handles: &[Tables; 2],
    query: &Q,
    lent: impl Fn(&<Q::Row as FromRow>::Out) -> String + Copy,
) -> usize
where
    Q::Row: BorrowRow,
    for<'r> <Q::Row as BorrowRow>::Ref<'r>: Debug,
{
    let mut count = 0;
    for tables in handles {
        for size in [1, 3, 1000] {
            let query = query.clone().page_size(size);
            let mut found = Vec::new();
            let stats = run(query.for_each(tables, |row| found.push(format!("{row:?}"))));
            let report = match run(query.report(tables)) {
                Ok(report) => report,
                Err(error) => {
                    assert_eq!(stats.unwrap_err().to_string(), error.to_string());
                    continue;
                }
            };
            assert_eq!(run(query.count(tables)).unwrap(), report.items.len() as u64);
            assert_eq!(run(query.exists(tables)).unwrap(), !report.items.is_empty());
            let expected: Vec<_> = report.items.iter().map(lent).collect();
            assert_eq!(found, expected, "{size}");
            assert_eq!(stats.unwrap(), report.stats, "{size}");
            count = expected.len();
            for some in [1, 4] {
                let some = some.min(expected.len());
                let limited = query.clone().take(some as u64);
                let mut found = Vec::new();
                run(limited.for_each(tables, |row| found.push(format!("{row:?}")))).unwrap();
                if some > 0 {
                    assert_eq!(found, expected[..some]);
                }
                let mut found = Vec::new();
                let search = query.try_for_each(tables, |row| {
                    found.push(format!("{row:?}"));
                    if found.len() < some { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                run(search).unwrap();
                assert_eq!(found, expected[..some]);
            }
            let page = run(query.page(tables)).unwrap();
            if let Some(cursor) = page.cursor {
                let mut found = Vec::new();
                let rest = query.clone().resume(cursor);
                run(rest.for_each(tables, |row| found.push(format!("{row:?}")))).unwrap();
                assert_eq!(found, expected[page.items.len()..]);
            }
        }
    }
    count
}

/// Pseudorandom entities.
struct Dice(Seed);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Seed::new(seed))
    }

    fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    fn text(&mut self) -> String {
        let letters = ['a', 'b', 'é', '\u{ffff}', '\u{10000}', '漢'];
        (0..=self.below(5)).map(|_| letters[self.below(6)]).collect()
    }

    fn order(&mut self, shop: &str, id: u32) -> Order {
        let some = |dice: &mut Self| dice.below(2) == 0;
        Order {
            shop: shop.to_owned(),
            id,
            title: self.text(),
            city: ["Bergen", "Leeds"][self.below(2)].to_owned(),
            note: some(self).then(|| self.text()),
            remark: self.text(),
            state: if some(self) { State::Open } else { State::Paid },
            hash: self.text().into_bytes(),
            key: some(self).then(|| self.text().into_bytes()),
            bytes: u32::try_from(self.below(1 << 20)).unwrap().to_be_bytes(),
            weight: some(self).then_some(1.5),
            placed: Timestamp::UNIX_EPOCH,
            seen: false,
        }
    }
}

fn order(stored: &Stored<Order>) -> String {
    format!("{:?}", OrderRef::from(&**stored))
}

/// Orders of all versions, with and without properties, and rows of other types on request.
fn orders(dice: &mut Dice, tables: &Tables, with_others: bool) {
    for (shop, first) in [("north", 0), ("south\u{10000}", 0), ("west", 500)] {
        for id in first..first + 25 {
            match dice.below(if with_others { 6 } else { 4 }) {
                0 => {
                    let note = (dice.below(2) == 0).then(|| dice.text());
                    let older = OrderV1 { shop: shop.to_owned(), id, title: dice.text(), note };
                    run(tables.insert(&older)).map(drop).unwrap();
                }
                4 => {
                    run(tables.insert(&OrderV3 { shop: shop.to_owned(), id, added: 1 })).map(drop).unwrap();
                }
                5 => run(tables.insert(&Return { shop: shop.to_owned(), number: id })).map(drop).unwrap(),
                _ => run(tables.insert(&dice.order(shop, id))).map(drop).unwrap(),
            }
        }
    }
}

#[test]
fn every_kind_of_query_lends_what_it_returns() {
    for seed in 0..4 {
        let (mut dice, handles) = (Dice::new(seed), handles());
        orders(&mut dice, &handles[0], false);
        let all = Order::rows("north");
        assert_eq!(compare(&handles, &all.clone().between(..), order), 25);
        assert_eq!(compare(&handles, &all.clone().between(3..9), order), 6);
        assert_eq!(compare(&handles, &Order::rows("nowhere").between(..), order), 0);
        assert_eq!(compare(&handles, &Order::scan_table(), order), 75);
        compare(&handles, &Order::scan_partition("north").filter(|order| order.state.eq(State::Paid)), order);
        compare(&handles, &Order::scan_table().filter(|order| order.city.eq("Leeds")), order);
        compare(&handles, &all.clone().between(5..).scan(|order| order.note.eq("a")), order);
        compare(&handles, &Order::by_city_rows("north").at("Leeds").between(..), order);
        let paid = Order::by_state_rows(State::Paid).between(..).select::<Label>();
        assert!(compare(&handles, &paid, |label| format!("{label:?}")) > 0);
        compare(&handles, &paid.validated(), |label| format!("{label:?}"));
        let points = [3, 7, 99, 1].map(|id| Order::point("north", id));
        compare(&handles, &points.into_iter().collect::<MultiPoint<_>>(), order);
        compare(&handles, &Order::point("north", 4), order);
        compare(&handles, &all.clone().between(..).select::<Label>(), |label| format!("{label:?}"));
        compare(&handles, &Order::scan_table().select::<Label>(), |label| format!("{label:?}"));
    }
}

#[test]
fn rows_of_other_versions_and_types_are_treated_alike() {
    for seed in 0..4 {
        let (mut dice, handles) = (Dice::new(seed), handles());
        orders(&mut dice, &handles[0], true);
        for newer in [RowPolicy::Fail, RowPolicy::Skip] {
            for foreign in [RowPolicy::Fail, RowPolicy::Skip] {
                let range = Order::rows("north").between(..).newer(newer).foreign(foreign);
                compare(&handles, &range, order);
                compare(&handles, &Order::scan_table().newer(newer).foreign(foreign), order);
                let filtered = Order::scan_partition("north").filter(|order| order.city.eq("Leeds"));
                compare(&handles, &filtered.newer(newer), order);
                let labels = Order::rows("north").between(..).select::<Label>();
                compare(&handles, &labels.newer(newer).foreign(foreign), |label| format!("{label:?}"));
            }
        }
    }
}

#[test]
fn keys_of_every_form_are_lent() {
    let handles = handles();
    let tables = &handles[0];
    for area in ["a b", "c/d", "é\u{10000}"] {
        for x in [-3, 0, 70_000] {
            run(tables.insert(&Dot { area: area.to_owned(), x, y: x + 1 })).map(drop).unwrap();
        }
        let points = Dot::rows(area).between(..);
        let lent = |point: &Stored<Dot>| format!("{:?}", DotRef::from(&**point));
        assert_eq!(compare(&handles, &points, lent), 3);
        assert_eq!(compare(&handles, &Dot::scan_table(), lent) % 3, 0);
    }
    for (id, sub) in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)] {
        run(tables.insert(&Counter { id, sub, count: i64::from(sub) })).map(drop).unwrap();
    }
    let lent = |counter: &Stored<Counter>| format!("{:?}", CounterRef::from(&**counter));
    assert_eq!(compare(&handles, &Counter::scan_table(), lent), 5);

    // A property that contradicts the key is the same error.
    let mut untyped = run(DynamicEntity::point("Counters", "0002", "0002").get(tables)).unwrap().unwrap();
    untyped.set("sub", 9_i64);
    run(tables.replace(&untyped)).map(drop).unwrap();
    assert!(run(Counter::scan_table().all(tables)).is_err());
    compare(&handles, &Counter::scan_table(), lent);
}

#[test]
fn shards_and_tables_of_periods_are_lent_in_order() {
    let handles = handles();
    let mut dice = Dice::new(9);
    let start: Timestamp = "2014-08-01T12:00:00Z".parse().unwrap();
    for id in 0..60 {
        let at = start.saturating_add(std::time::Duration::from_secs(dice.below(200_000) as u64));
        let visit = Visit { shop: "north".to_owned(), at, id, page: dice.text() };
        run(handles[0].insert(&visit)).map(drop).unwrap();
    }
    let lent = |visit: &Stored<Visit>| format!("{:?}", VisitRef::from(&**visit));
    assert_eq!(compare(&handles, &Visit::rows("north").between(..), lent), 60);
    assert_eq!(compare(&handles, &Visit::scan_table(), lent), 60);
    compare(&handles, &Visit::scan_partition("north").filter(|visit| visit.page.eq("a")), lent);
}

#[test]
fn strings_and_bytes_point_into_the_row() {
    let tables = Tables::in_memory().unwrap();
    run(tables.insert(&Dice::new(1).order("north", 1))).map(drop).unwrap();
    let visit = |order: OrderRef<'_>| {
        let _: (&str, &str, Option<&str>, &[u8], Option<&[u8]>) =
            (order.shop, order.title, order.note, order.hash, order.key);
    };
    let stats = tables.blocking().for_each(&Order::rows("north").between(..), visit).unwrap();
    assert_eq!((stats.returned, stats.requests), (1, 1));
}

#[test]
fn the_store_can_be_used_while_a_row_is_lent() {
    let [tables, paged] = handles();
    let mut dice = Dice::new(2);
    for id in 0..20 {
        run(tables.insert(&dice.order("north", id))).map(drop).unwrap();
    }
    for handle in [&tables, &paged] {
        let mut copied = 0;
        let copy = |order: OrderRef<'_>| {
            let Some(found) = tables.blocking().get(&Order::point("north", order.id)).unwrap() else {
                return;
            };
            let moved = Order { shop: "south".to_owned(), ..found.into_inner() };
            tables.blocking().upsert(&moved).map(drop).unwrap();
            copied += 1;
        };
        handle.blocking().for_each(&Order::rows("north").between(..).page_size(7), copy).unwrap();
        assert_eq!(copied, 20);
    }
    assert_eq!(tables.blocking().all(&Order::rows("south").between(..)).unwrap().len(), 20);
}

#[test]
fn stable_rows_are_lent_once_during_writes() {
    let [tables, _] = handles();
    let mut dice = Dice::new(5);
    for id in 0..400 {
        run(tables.insert(&dice.order("north", id))).map(drop).unwrap();
    }
    let (writer, done) = (&tables, &AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Deletes and inserts rows with odd numbers, and changes those of even numbers.
            for round in 0..40 {
                for id in (round % 2..400).step_by(17) {
                    let order = Dice::new(u64::from(round)).order("north", id);
                    if id % 2 == 1 {
                        writer.blocking().delete_if_exists(Order::point("north", id)).map(drop).unwrap();
                    }
                    writer.blocking().upsert(&order).map(drop).unwrap();
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut rounds = 0;
        while rounds < 3 || !done.load(Ordering::Relaxed) {
            let mut ids = Vec::new();
            let query = Order::rows("north").between(..).page_size(64);
            tables.blocking().for_each(&query, |order| ids.push(order.id)).unwrap();
            assert!(ids.is_sorted_by(|a, b| a < b), "each row at most once, in order");
            assert!(ids.iter().filter(|id| **id % 2 == 0).count() == 200);
            rounds += 1;
        }
    });
}
