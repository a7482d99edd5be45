//! Entities of several tables and partitions by the values of their fields: the rows and requests are those of the type.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on says why")]

use pollster::block_on;
use table_patterns::{FanOut, FieldTest, FieldValues, RunStats, Value, prelude::*};
use table_schema::language::Comparison;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Logins{at:%Y%m}", partition = "{user}", row = "{at:inverted_ticks}", entity_type = none)]
struct Login {
    user: String,
    at: Timestamp,
    level: i32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{user}", entity_type = none)]
#[table(shard(of = user, count = 4))]
struct Event {
    user: String,
    at: Timestamp,
    level: i32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Visits", partition = "{user}_{at:%Y%m%d}", row = "visit_{at:ticks}", entity_type = none)]
struct Visit {
    user: String,
    at: Timestamp,
    level: i32,
}

const DESIGN: &str = r#"
tables = 1
[entity.Login]
table = "Logins{at:%Y%m}"
partition = "{user}"
row = "{at:inverted_ticks}"
[entity.Login.fields]
user = "string"
at = "datetime"
level = "i32"
[entity.Event]
table = "Events"
partition = "{shard:02}"
row = "{at:ticks}_{user}"
shard = { of = "user", count = 4 }
[entity.Event.fields]
user = "string"
at = "datetime"
level = "i32"
[entity.Visit]
table = "Visits"
partition = "{user}_{at:%Y%m%d}"
row = "visit_{at:ticks}"
[entity.Visit.fields]
user = "string"
at = "datetime"
level = "i32"
"#;

/// Noon of a day, counted from the last day of 2024.
fn day(number: i64) -> Timestamp {
    let start: Timestamp = "2024-12-31T12:00:00Z".parse().unwrap();
    Timestamp::from_ticks(start.ticks() + number * 864_000_000_000).unwrap()
}

fn values(user: &str, number: i64) -> FieldValues {
    let level = Value::Int32(i32::try_from(number).unwrap());
    [("user", Value::from(user)), ("at", Value::DateTime(day(number))), ("level", level)]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

fn test(field: &str, comparison: Comparison, values: &[Value]) -> FieldTest {
    FieldTest { field: field.to_owned(), comparison, values: values.to_vec() }
}

/// Days of the entities that a query by fields returns, and its requests, rows read and entities.
fn by_fields(tables: &Tables, entity: &str, tests: &[FieldTest], most: u64) -> (Vec<i64>, [u64; 3]) {
    let schema = table_codegen::read(DESIGN, "logs.toml").unwrap();
    let entities = tables.design(&schema, entity).unwrap().entities().unwrap();
    let found = block_on(entities.query("primary", tests).unwrap().take(most).report()).unwrap();
    let level = |item: &FieldValues| match item.get("level") {
        Some(Value::Int32(level)) => i64::from(*level),
        other => panic!("{other:?}"),
    };
    (found.items.iter().map(level).collect(), counts(&found.stats))
}

fn counts(stats: &RunStats) -> [u64; 3] {
    [stats.requests, stats.read, stats.returned]
}

/// Inserts 60 days of two users by fields, and checks that the type reads them.
fn filled(entity: &str, read: impl Fn(&Tables) -> usize) -> Tables {
    let tables = Tables::in_memory().unwrap();
    let schema = table_codegen::read(DESIGN, "logs.toml").unwrap();
    let entities = tables.design(&schema, entity).unwrap().entities().unwrap();
    for number in 0..60 {
        for user in ["jo", "mo"] {
            block_on(entities.insert(&values(user, number))).unwrap();
        }
    }
    assert_eq!(read(&tables), 120);
    let changed: FieldValues = [("level".to_owned(), Value::Int32(0))].into();
    let stored = block_on(entities.get(&values("jo", 0))).unwrap().unwrap();
    block_on(entities.update(&stored, &changed)).unwrap();
    let stored = block_on(entities.get(&values("mo", 59))).unwrap().unwrap();
    block_on(entities.delete(&stored)).unwrap();
    assert!(block_on(entities.get(&values("mo", 59))).unwrap().is_none());
    tables
}

#[test]
fn tables_of_periods_are_written_and_queried_as_by_the_type() {
    let tables = filled("Login", |tables| block_on(Login::scan_table().all(tables)).unwrap().len());
    let jo = || FieldTest::equal("user", "jo");
    let newest = block_on(Login::rows("jo").take(40).report(&tables)).unwrap();
    let found = by_fields(&tables, "Login", &[jo()], 40);
    assert_eq!(found, ((20..60).rev().collect(), counts(&newest.stats)));
    assert_eq!(found.1[0], 3, "the list of the tables, and the newest two of three");

    let times = day(25)..day(35);
    let range = block_on(Login::rows("jo").between(times).report(&tables)).unwrap();
    let within = test("at", Comparison::Within, &[day(25).into(), day(35).into()]);
    let found = by_fields(&tables, "Login", &[jo(), within], 100);
    assert_eq!(found, ((25..35).rev().collect(), counts(&range.stats)));

    let point = by_fields(&tables, "Login", &[jo(), FieldTest::equal("at", day(31))], 100);
    assert_eq!(point, (vec![31], [1, 1, 1]));
    let scan = block_on(Login::scan_table().filter(|login| login.level.ge(58)).report(&tables)).unwrap();
    let high = test("level", Comparison::AtLeast, &[Value::Int32(58)]);
    let found = by_fields(&tables, "Login", &[high], 100);
    assert_eq!((found.0.len(), found.1), (3, counts(&scan.stats)));
}

#[test]
fn shards_are_written_and_queried_as_by_the_type() {
    let tables = filled("Event", |tables| block_on(Event::scan_table().all(tables)).unwrap().len());
    let since = || test("at", Comparison::AtLeast, &[day(50).into()]);
    let all = block_on(Event::rows().between(day(50)..).report(&tables)).unwrap();
    let found = by_fields(&tables, "Event", &[since()], 100);
    assert_eq!((found.0.len(), found.1), (19, counts(&all.stats)));
    assert!(found.0.is_sorted() && found.1[0] == 4, "{found:?}");

    // The user determines the shard.
    let found = by_fields(&tables, "Event", &[since(), FieldTest::equal("user", "jo")], 100);
    assert_eq!((found.0, found.1[0]), ((50..60).collect(), 1));
    let point =
        by_fields(&tables, "Event", &[FieldTest::equal("user", "jo"), FieldTest::equal("at", day(7))], 9);
    assert_eq!(point, (vec![7], [1, 1, 1]));
}

#[test]
fn partitions_of_periods_are_queried_as_by_the_type() {
    let tables = filled("Visit", |tables| block_on(Visit::scan_table().all(tables)).unwrap().len());
    let times = day(25)..day(30);
    let within = |user| {
        let times = test("at", Comparison::Within, &[day(25).into(), day(30).into()]);
        [FieldTest::equal("user", user), times]
    };
    let typed = FanOut::within(times.clone(), |day| Visit::rows("jo", day).between(times.clone()));
    let typed = block_on(typed.take(3).report(&tables)).unwrap();
    let found = by_fields(&tables, "Visit", &within("jo"), 3);
    assert_eq!(found, (vec![25, 26, 27], counts(&typed.stats)));
    assert_eq!(by_fields(&tables, "Visit", &within("no"), 3).0, Vec::<i64>::new());
}

#[test]
fn scans_test_the_fields_of_keys() {
    let tables = filled("Visit", |tables| block_on(Visit::scan_table().all(tables)).unwrap().len());
    // The leading field of the partition: only the partitions of one user are read.
    let found = by_fields(&tables, "Visit", &[FieldTest::equal("user", "mo")], 100);
    assert_eq!((found.0.len(), found.1), (59, [1, 59, 59]));
    // The RowKey: all rows are read, and one is returned.
    let found = by_fields(&tables, "Visit", &[FieldTest::equal("at", day(59))], 100);
    assert_eq!(found, (vec![59], [1, 119, 1]));
    // A field that no filter can test is tested after the rows were read, without further requests.
    let other = test("user", Comparison::NotEqual, &["jo".into()]);
    let found = by_fields(&tables, "Visit", &[other], 100);
    assert_eq!((found.0.len(), found.1), (59, [1, 119, 59]));
}
