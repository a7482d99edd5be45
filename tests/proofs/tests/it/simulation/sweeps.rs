//! Sweeps delete only empty placeholders, also with concurrent writers, and they continue after transient failures.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use std::time::Duration;

use pollster::block_on;
use table_patterns::{DifferenceKind, SweepReport, prelude::*};
use table_proofs::simulation::{Fate, Faults, Stepped, Unreliable, World};
use table_store::{
    Condition, Entity as Row, MapStorage, OpenOptions, Operation, Properties, Query as StoreQuery, Store,
    TableName, TableService, Timestamp, Value,
};

/// An aggregate in the partition of its sources.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "club")]
struct Club {
    club: String,
    motto: i64,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
    #[table(from_source)]
    best: Option<i32>,
    #[table(from_source)]
    captain: Option<Captain>,
}

/// An aggregate with only a maximum.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "record")]
struct Record {
    club: String,
    #[table(from_source)]
    least: Option<i32>,
}

/// An aggregate in another table.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    motto: i64,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
    #[table(from_source)]
    best: Option<i32>,
    #[table(from_source)]
    captain: Option<Captain>,
}

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Member)]
struct Captain {
    id: u8,
    score: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "m_{id:02}")]
#[table(counted_in(Club::members), summed_in(Club::score, of = score), max_in(Club::best, of = score))]
#[table(copied_to(Club::captain), min_in(Record::least, of = score))]
#[table(counted_in(Team::members), summed_in(Team::score, of = score), max_in(Team::best, of = score))]
#[table(copied_to(Team::captain))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: i32,
}

const HOUR: Duration = Duration::from_secs(60 * 60);

fn member(id: u8, score: i32) -> Member {
    Member { club: "c".into(), id, team: "red".into(), score }
}

/// Creates a store with members, and without their club, record and team.
fn members() -> (Store, Tables) {
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let tables = Tables::from(store.clone());
    tables.register_entity::<Member>();
    tables.register_entity::<Team>();
    for (id, score) in [(1, 58), (2, 34), (3, 19)] {
        tables.blocking().insert(&member(id, score)).unwrap();
    }
    (store, tables)
}

/// Sweeps with a clock that is two hours ahead.
fn sweep(tables: &Tables) -> SweepReport {
    let later = tables.clone().with_clock(|| Timestamp::now().saturating_add(2 * HOUR));
    block_on(later.sweep().run()).unwrap()
}

fn rows(store: &Store, table: &str) -> Vec<(String, String, Properties)> {
    let segment = block_on(store.query(&TableName::new(table).unwrap(), StoreQuery::default())).unwrap();
    let rows = segment.rows.iter().map(|row| {
        let (partition_key, row_key) = (row.partition_key.unwrap(), row.row_key.unwrap());
        (partition_key.to_owned(), row_key.to_owned(), row.properties.to_properties())
    });
    rows.collect()
}

fn put(store: &Store, table: &str, (partition_key, row_key): (&str, &str), properties: Properties) {
    let row = Row { partition_key: partition_key.into(), row_key: row_key.into(), properties };
    block_on(store.execute(&TableName::new(table).unwrap(), &Operation::InsertOrReplace(row))).unwrap();
}

fn delete(store: &Store, table: &str, partition_key: &str, row_key: &str) {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    block_on(store.execute(&TableName::new(table).unwrap(), &delete)).unwrap();
}

/// Inserts the club, the record and the team. They adopt the aggregated values of their existing rows: three members.
fn owners_take_over(tables: &Tables) {
    let b = tables.blocking();
    b.insert(&Club { club: "c".into(), motto: 1, members: 0, score: 0, best: None, captain: None }).unwrap();
    b.insert(&Record { club: "c".into(), least: None }).unwrap();
    b.insert(&Team { team: "red".into(), motto: 1, members: 0, score: 0, best: None, captain: None })
        .unwrap();
    let club = b.get(&Club::point("c")).unwrap().unwrap();
    let captain = Some(Captain { id: 1, score: 58 });
    assert_eq!((club.members, club.score, club.best, &club.captain), (3, 111, Some(58), &captain));
    assert_eq!(b.get(&Record::point("c")).unwrap().unwrap().least, Some(19));
    let team = b.get(&Team::point("red")).unwrap().unwrap();
    assert_eq!((team.members, team.score, team.best, &team.captain), (3, 111, Some(58), &captain));
    b.delete_at(Member::point("c", 1)).unwrap();
    let club = b.get(&Club::point("c")).unwrap().unwrap();
    assert_eq!((club.members, club.score, club.best), (2, 53, Some(34)));
    assert!(b.sweep(tables.verify::<Member>()).unwrap().is_clean());
}

/// The key of a contribution that does not exist.
const PLACE: &str = "!c_4_Team5_t_red6_Member5_Clubs1_c4_m_07";

fn placeholder() -> Properties {
    [("_st", "s"), ("_src", r#"["Clubs","c","m_07"]"#)].into_iter().collect()
}

#[test]
fn sweep_keeps_totals_whose_entity_does_not_exist() {
    let (_store, tables) = members();
    assert_eq!(sweep(&tables), SweepReport::default());
    owners_take_over(&tables);
}

#[test]
fn sweep_keeps_totals_whose_entity_was_deleted() {
    let (_store, tables) = members();
    let b = tables.blocking();
    b.insert(&Club { club: "c".into(), motto: 1, members: 0, score: 0, best: None, captain: None }).unwrap();
    b.delete_at(Club::point("c")).unwrap();
    assert_eq!(sweep(&tables), SweepReport::default());
    owners_take_over(&tables);
}

#[test]
fn sweep_keeps_totals_marked_by_older_versions() {
    let (store, tables) = members();
    let mut count = 0;
    for table in ["Clubs", "Teams"] {
        for (partition_key, row_key, mut properties) in rows(&store, table) {
            if properties.get("_st") == Some(&Value::from("k")) {
                // Older versions marked an aggregate without its entity like an empty placeholder.
                properties.set("_st", "s");
                put(&store, table, (&partition_key, &row_key), properties);
                count += 1;
            }
        }
    }
    assert_eq!(count, 3);
    assert_eq!(sweep(&tables), SweepReport::default());
    owners_take_over(&tables);
}

#[test]
fn sweep_deletes_old_empty_placeholders_only() {
    let (store, tables) = members();
    let key = "!c_4_Team5_t_red6_Member5_Clubs1_c4_m_07";
    let placeholder =
        || -> Properties { [("_st", "s"), ("_src", r#"["Clubs","c","m_07"]"#)].into_iter().collect() };
    put(&store, "Teams", ("teams", key), placeholder());
    assert_eq!(block_on(tables.sweep().run()).unwrap().stubs, 0, "a worker may be at it");
    let mut full = placeholder();
    full.set("members", 1_i64);
    put(&store, "Teams", ("teams", "other"), full);
    assert_eq!(sweep(&tables).stubs, 1);
    let left: Vec<String> = rows(&store, "Teams").into_iter().map(|(_, row_key, _)| row_key).collect();
    assert!(!left.contains(&PLACE.to_owned()) && left.contains(&"other".to_owned()), "{left:?}");
    delete(&store, "Teams", "teams", "other");
    owners_take_over(&tables);
}

#[test]
fn placeholders_of_contributions_go_without_the_aggregate_registered() {
    let (store, _) = members();
    let tables = Tables::from(store.clone());
    tables.register_entity::<Member>();
    put(&store, "Teams", ("teams", PLACE), placeholder());
    assert_eq!(sweep(&tables).stubs, 1);
}

#[test]
fn verify_repairs_totals_lost_without_their_entity() {
    let (store, tables) = members();
    for (table, partition_key, row_key) in
        [("Clubs", "c", "club"), ("Clubs", "c", "record"), ("Teams", "teams", "t_red")]
    {
        // Sweeps of earlier versions deleted these rows.
        delete(&store, table, partition_key, row_key);
    }
    let b = tables.blocking();
    let report = b.sweep(tables.verify::<Member>()).unwrap();
    assert!(report.count_of(DifferenceKind::WrongTotal) > 0, "{report}");
    assert_eq!(report.count(), report.count_of(DifferenceKind::WrongTotal), "{report}");
    drop(b.sweep(tables.verify::<Member>().repair()).unwrap());
    assert!(b.sweep(tables.verify::<Member>()).unwrap().is_clean());
    owners_take_over(&tables);
}

/// Creates a store with commits whose contributions no worker has written.
fn pending(count: u8) -> (Store, Tables) {
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let tables = Tables::from(store.clone());
    for id in 0..count {
        tables.with_deferred_updates().blocking().insert(&member(id, 1)).unwrap();
    }
    (store, tables)
}

/// Returns a handle with the faults of the world. Its separate clock avoids delays between retries.
fn unreliable(store: &Store, world: &World) -> Tables {
    let tables = Tables::new(Unreliable::new(store.clone(), world.clone())).with_clock(Timestamp::now);
    tables.register_entity::<Member>();
    tables.register_entity::<Team>();
    tables
}

#[test]
fn sweep_continues_after_transient_failures() {
    for seed in 0..10 {
        let (store, tables) = pending(12);
        let faults = Faults { undone: 60, lost: 30, most: 12, ..Faults::default() };
        let swept = block_on(unreliable(&store, &World::new(seed, faults)).sweep().run()).unwrap();
        assert_eq!((swept.failed, swept.left), (0, 0), "seed {seed}: {swept:?}");
        assert_eq!(block_on(tables.catch_up()).unwrap().followed, 0, "seed {seed}");
        assert!(tables.blocking().sweep(tables.verify::<Member>()).unwrap().is_clean(), "seed {seed}");
    }
}

#[test]
fn sweep_reports_rows_that_keep_failing() {
    let (store, tables) = pending(3);
    let world = World::new(7, Faults::default());
    world.plan([Fate::Undone; 200]);
    let swept = block_on(unreliable(&store, &world).sweep().run()).unwrap();
    assert_eq!((swept.failed, swept.left, swept.followed), (3, 3, 0), "{swept:?}");
    assert!(swept.failures.iter().all(|(address, _)| address.row_key().starts_with("!o_")), "{swept:?}");
    assert_eq!(block_on(tables.sweep().run()).unwrap().followed, 3);
}

#[test]
fn verify_repairs_all_beside_transient_failures() {
    for seed in 0..10 {
        let (store, tables) = members();
        delete(&store, "Teams", "teams", "t_red");
        delete(&store, "Clubs", "c", "club");
        let world = World::new(seed, Faults { undone: 100, lost: 100, most: 4, ..Faults::default() });
        drop(block_on(unreliable(&store, &world).verify::<Member>().repair().run()).unwrap());
        assert!(tables.blocking().sweep(tables.verify::<Member>()).unwrap().is_clean(), "seed {seed}");
    }
}

#[test]
fn sweep_leaves_a_placeholder_written_since_it_was_read() {
    let (store, _) = members();
    let tables = unreliable(&store, &World::new(7, Faults::default()));
    let later = tables.with_clock(|| Timestamp::now().saturating_add(2 * HOUR));
    let (mut work, mut calls) = (Stepped::new(later.sweep().run()), 0);
    // The same content in a new version, as if a worker were using the placeholder.
    let rewrite = || put(&store, "Teams", ("teams", PLACE), placeholder());
    rewrite();
    while work.advance(1) {
        rewrite();
        calls += 1;
    }
    let swept = work.finish().unwrap();
    assert!(calls > 2, "{calls} calls");
    assert_eq!(swept.stubs, 0);
    assert!(rows(&store, "Teams").iter().any(|(_, row_key, _)| row_key == PLACE));
}
