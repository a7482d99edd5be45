//! Another number of shards in one table: some entities keep their key.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use pollster::block_on;
use table_patterns::{MigrationStep, MoveState, MovedFrom, RegistryError, Tables, prelude::*};
use table_store::{
    Condition, Entity as Row, OpenOptions, Operation, Query as StoreQuery, Store, TableName, TableService,
};

use super::kept::Time;

/// A store whose time the test controls.
struct Place {
    store: Store,
    time: Time,
}

impl Place {
    fn new() -> Self {
        let time = Time::default();
        Self { store: OpenOptions::new().clock(time.clone()).in_memory().unwrap(), time }
    }

    /// Returns the handle of another process.
    fn process(&self) -> Tables {
        Tables::from(self.store.clone()).with_registry()
    }
}

fn go_to<E: MovedFrom>(tables: &Tables, time: &Time, target: MoveState) {
    for _ in 0..100 {
        match block_on(tables.migration::<E>().step_to(target)).unwrap() {
            MigrationStep::Done => return,
            MigrationStep::Wait(rest) => time.pass(rest),
            MigrationStep::Stuck(stuck) => panic!("{stuck:?}"),
            _ => {}
        }
    }
    panic!("the move does not reach {target}");
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Lots", partition = "{shard:02}", row = "{id:06}", entity_type = "LotV1")]
#[table(shard(of = id, count = 2))]
struct LotV1 {
    id: u32,
    total: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Lots", partition = "{shard:02}", row = "{id:06}", entity_type = "Lot")]
#[table(shard(of = id, count = 3))]
struct Lot {
    id: u32,
    total: i64,
}

impl From<LotV1> for Lot {
    fn from(LotV1 { id, total }: LotV1) -> Self {
        Self { id, total }
    }
}

impl From<Lot> for LotV1 {
    fn from(Lot { id, total }: Lot) -> Self {
        Self { id, total }
    }
}

impl From<LotKey> for LotV1Key {
    fn from(LotKey { id }: LotKey) -> Self {
        Self { id }
    }
}

impl MovedFrom for Lot {
    type Old = LotV1;
}

/// Returns the `EntityType` of each row by its key, and the values of `note`.
fn rows(place: &Place) -> (BTreeMap<(String, String), String>, Vec<String>) {
    let table = TableName::new("Lots").unwrap();
    let found = block_on(place.store.query(&table, StoreQuery::default())).unwrap();
    let (mut rows, mut notes) = (BTreeMap::new(), Vec::new());
    for row in found.rows.into_iter().filter_map(table_store::Row::into_entity) {
        let text = |name: &str| match row.properties.get(name) {
            Some(table_store::Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        notes.extend(text("note"));
        rows.insert((row.partition_key.clone(), row.row_key.clone()), text("EntityType").unwrap());
    }
    (rows, notes)
}

fn total(tables: &Tables, id: u32) -> Option<i64> {
    block_on(tables.moving::<Lot>().get(&LotKey { id })).unwrap().map(|lot| lot.total)
}

#[test]
fn entities_that_keep_their_shard_are_moved_in_place() {
    use MoveState::{Both, Follow, Gone, New, Off};

    let place = Place::new();
    let tables = place.process();
    block_on(tables.register::<LotV1>()).unwrap();
    let lots = tables.moving::<Lot>();
    for id in 0..40 {
        block_on(lots.insert(&Lot { id, total: i64::from(id) })).unwrap();
    }
    let (before, _) = rows(&place);
    let table = TableName::new("Lots").unwrap();
    for (partition_key, row_key) in before.keys() {
        let row = Row::new(partition_key.as_str(), row_key.as_str()).with("note", row_key.clone());
        block_on(place.store.execute(&table, &Operation::Merge(row, Condition::Exists))).unwrap();
    }
    let check = block_on(tables.migration::<Lot>().check().run()).unwrap();
    assert_eq!((check.entities, check.stuck.len()), (40, 0), "{:?}", check.stuck);

    for (number, state) in (0..).zip([Off, Follow, Both, New, Gone]) {
        go_to::<Lot>(&tables, &place.time, state);
        // New keys that some shard counts keep, and others do not.
        for id in 1_000 + 100 * number..1_008 + 100 * number {
            block_on(lots.insert(&Lot { id, total: 1 })).unwrap();
            assert!(block_on(lots.insert(&Lot { id, total: 2 })).unwrap_err().is_conflict(), "{state}");
            block_on(lots.update(&LotKey { id }, |lot| lot.total += 2)).unwrap();
            assert_eq!(total(&tables, id), Some(3), "{state}");
            assert!(block_on(lots.delete_at(&LotKey { id })).unwrap(), "{state}");
            assert_eq!(total(&tables, id), None, "{state}");
            block_on(lots.insert(&Lot { id, total: 4 })).unwrap();
        }
        // Entities of earlier states, of which some are moved by this write.
        for id in (0..40).step_by(3) {
            let outdated = block_on(lots.get(&LotKey { id })).unwrap().unwrap();
            block_on(lots.update(&LotKey { id }, |lot| lot.total += 100)).unwrap();
            assert!(block_on(lots.delete(&outdated)).unwrap_err().is_conflict(), "{state}");
        }
        let found = block_on(lots.all(&LotV1::scan_table()));
        if state < New {
            let mut ids: Vec<u32> = found.unwrap().iter().map(|lot| lot.id).collect();
            ids.sort_unstable();
            let added = (0..=number).flat_map(|number| 1_000 + 100 * number..1_008 + 100 * number);
            assert_eq!(ids, (0..40).chain(added).collect::<Vec<_>>(), "{state}");
        }
    }
    for id in 0..40 {
        let times = if id % 3 == 0 { 5 } else { 0 };
        assert_eq!(total(&tables, id), Some(i64::from(id) + 100 * times));
    }
    let (after, mut notes) = rows(&place);
    assert_eq!(after.len(), 80);
    assert!(after.values().all(|entity_type| entity_type == "Lot"), "{after:?}");
    let stayed = before.keys().filter(|key| after.contains_key(*key)).count();
    assert!((8..32).contains(&stayed), "{stayed}");
    notes.sort_unstable();
    assert_eq!(notes, (0..40).map(|id| format!("{id:06}")).collect::<Vec<_>>());
}

/// An entity that was moved in place has no marker.
#[test]
fn a_move_does_not_turn_back_from_entities_in_place() {
    let place = Place::new();
    let tables = place.process();
    block_on(tables.register::<LotV1>()).unwrap();
    let lots = tables.moving::<Lot>();
    go_to::<Lot>(&tables, &place.time, MoveState::Both);
    let kept = (0..10_000).find(|id| {
        block_on(lots.insert(&Lot { id: *id, total: 1 })).unwrap();
        let is_in_place = rows(&place).0.len() == 1;
        if !is_in_place {
            block_on(lots.delete_at(&LotKey { id: *id })).unwrap();
            let table = TableName::new("Lots").unwrap();
            for (partition_key, row_key) in rows(&place).0.into_keys() {
                let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
                block_on(place.store.execute(&table, &delete)).unwrap();
            }
        }
        is_in_place
    });
    go_to::<Lot>(&tables, &place.time, MoveState::Follow);
    assert_eq!(total(&tables, kept.unwrap()), Some(1));
    let back = loop {
        match block_on(tables.migration::<Lot>().step_to(MoveState::Off)) {
            Ok(MigrationStep::Wait(rest)) => place.time.pass(rest),
            Ok(MigrationStep::Done) => break None,
            Ok(_) => {}
            Err(error) => break Some(error),
        }
    };
    assert!(back.unwrap().to_string().contains("entities were moved"));
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Bins", partition = "{room}", row = "{id:06}", entity_type = "BinV1")]
#[table(index(by_color, table = "Colors", partition = "{color}", row = "{room}_{id:06}"))]
struct BinV1 {
    room: String,
    id: u32,
    color: String,
}

/// Bins of the room `a` keep their key.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Bins", partition = "{hall}", row = "{id:06}", entity_type = "Bin")]
#[table(index(by_color, table = "Colors", partition = "{color}", row = "{hall}_{id:06}"))]
struct Bin {
    hall: String,
    id: u32,
    color: String,
}

impl From<BinV1> for Bin {
    fn from(BinV1 { room, id, color }: BinV1) -> Self {
        Self { hall: if room == "a" { room } else { format!("hall {room}") }, id, color }
    }
}

impl From<Bin> for BinV1 {
    fn from(Bin { hall, id, color }: Bin) -> Self {
        Self { room: hall.trim_start_matches("hall ").to_owned(), id, color }
    }
}

impl From<BinKey> for BinV1Key {
    fn from(BinKey { hall, id }: BinKey) -> Self {
        Self { room: hall.trim_start_matches("hall ").to_owned(), id }
    }
}

impl MovedFrom for Bin {
    type Old = BinV1;
}

/// One request cannot delete the index rows of the old type and write those of the new one.
#[test]
fn an_entity_with_an_index_is_listed_and_not_marked() {
    let place = Place::new();
    let tables = place.process();
    block_on(tables.register::<BinV1>()).unwrap();
    for room in ["a", "b"] {
        tables.blocking().insert(&BinV1 { room: room.into(), id: 1, color: "red".into() }).unwrap();
    }
    let is_refused = |error: &Error| matches!(error, Error::Registry(error) if matches!(**error, RegistryError::SameKey { .. }));
    let check = block_on(tables.migration::<Bin>().check().run()).unwrap();
    assert_eq!((check.entities, check.stuck.len()), (2, 1), "{:?}", check.stuck);
    assert!(is_refused(&check.stuck[0].1));
    let text = check.stuck[0].1.to_string();
    assert!(text.contains("give the new type another table or another form of the row key"), "{text}");

    go_to::<Bin>(&tables, &place.time, MoveState::Both);
    let bin = |hall: &str| Bin { hall: hall.into(), id: 2, color: "red".into() };
    let refused = block_on(tables.moving::<Bin>().insert(&bin("a"))).unwrap_err();
    assert!(is_refused(&refused), "{refused}");
    assert_eq!(tables.blocking().get(&DynamicEntity::point("Bins", "a", "000002")).unwrap().map(drop), None);
    block_on(tables.moving::<Bin>().insert(&bin("hall b"))).unwrap();
}
