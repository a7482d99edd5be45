//! Rows that may be entities remain: an index whose keys have the form of an older key of the entity, and commits of
//! entities that a program no longer reads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, reason = "what rows hold is compared by verify")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use table_patterns::{DifferenceKind, IndexStep, LeftReason, RepairStatus, prelude::*};
use table_store::{
    Clock, Condition, Entity, OpenOptions, Operation, Store, TableName, TableService, Timestamp,
};

/// The type with the older key. Its row has the token of the transaction that wrote it.
mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Staff", partition = "{team}", row = "empid_{id:06}", entity_type = "Person")]
    #[table(index(by_mail, row = "mail_{mail}", unique))]
    pub(super) struct Person {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) mail: String,
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "e_{id:08}", entity_type = "Person")]
#[table(index(by_old, row = "empid_{id:06}"))]
struct Person {
    team: String,
    id: u32,
    mail: String,
}

fn person(id: u32) -> Person {
    Person { team: "a".into(), id, mail: format!("m{id}") }
}

/// Entities 1 to 3 at older keys, and entity 4 at its current key with its index row.
fn store() -> Store {
    let store = Store::in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for id in 1..=3 {
        let Person { team, id, mail } = person(id);
        tables.blocking().insert(&before::Person { team, id, mail }).unwrap();
    }
    Tables::from(store.clone()).blocking().insert(&person(4)).unwrap();
    store
}

fn older(store: &Store) -> Vec<u32> {
    let found = Tables::from(store.clone()).blocking().all(&before::Person::rows("a")).unwrap();
    // The index row of entity 4 is at such a key.
    found.iter().map(|one| one.id).filter(|id| *id < 4).collect()
}

#[test]
fn entities_at_keys_of_an_index_are_left_and_named() {
    let store = store();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    let dry = b.sweep(tables.remove_index_rows::<Person>("by_old").dry_run()).unwrap();
    assert_eq!((dry.removed, dry.left_count), (1, 3));
    let report = b.sweep(tables.verify::<Person>().repair()).unwrap();
    // Of each older entity also the row of an index that the type does not declare.
    assert_eq!(
        (report.count_of(DifferenceKind::Unknown), report.count(), report.repaired),
        (6, 6, 0),
        "{report}"
    );
    let removed = b.sweep(tables.remove_index_rows::<Person>("by_old")).unwrap();
    assert_eq!((removed.removed, removed.left_count), (1, 3));
    let left = &removed.left[0];
    assert_eq!((left.what, left.address.row_key()), (DifferenceKind::Unknown, "empid_000001"));
    assert!(matches!(left.repair, RepairStatus::Left));
    assert_eq!(older(&store), [1, 2, 3]);
}

/// Types with one name in two tables, whose indexes share a table.
mod shared {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Staff", partition = "{team}", row = "e_{id:06}", entity_type = "Person")]
    #[table(index(by_mail, table = "Mail", partition = "m_{mail}", row = "{team}_{id:06}"))]
    pub(super) struct Staff {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) mail: String,
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Guests", partition = "{team}", row = "e_{id:06}", entity_type = "Person")]
    #[table(index(by_mail, table = "Mail", partition = "m_{mail}", row = "{team}_{id:06}"))]
    pub(super) struct Guest {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) mail: String,
    }
}

#[test]
fn index_rows_of_entities_in_another_table_are_left() {
    let store = Store::in_memory().unwrap();
    // Two programs: one that knows both types could not tell their index rows apart by name.
    let (staff, guests) = (Tables::from(store.clone()), Tables::from(store.clone()));
    let (team, mail) = ("a".to_owned(), "m".to_owned());
    staff.blocking().insert(&shared::Staff { team: team.clone(), id: 1, mail: mail.clone() }).unwrap();
    guests.blocking().insert(&shared::Guest { team, id: 2, mail }).unwrap();
    let removed = staff.blocking().sweep(staff.remove_index_rows::<shared::Staff>("by_mail")).unwrap();
    assert_eq!((removed.removed, removed.left_count), (1, 0));
    let found = guests.blocking().all(&shared::Guest::by_mail_rows("m")).unwrap();
    assert_eq!(found.iter().map(|guest| guest.id).collect::<Vec<_>>(), [2]);
    let report = guests.blocking().sweep(guests.verify::<shared::Guest>()).unwrap();
    assert_eq!(report.count(), 0, "{report}");
}

/// An entity whose index row would be at the key of an older entity.
#[test]
fn a_row_is_not_written_over_an_entity() {
    let store = store();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    let row = b.get(&DynamicEntity::point("Staff", "a", "e_00000004")).unwrap().unwrap();
    let mut same = DynamicEntity::new("Staff", "a", "e_00000002").unwrap();
    for name in ["mail", "EntityType"] {
        same.set(name, row.value(name).unwrap().clone());
    }
    b.insert(&same).unwrap();
    let before = older(&store);
    let report = b.sweep(tables.reindex::<Person>("by_old")).unwrap();
    assert_eq!((report.written, report.without.len()), (0, 1), "{report:?}");
    assert_eq!(report.without[0].what, DifferenceKind::Taken);
    let report = b.sweep(tables.verify::<Person>().repair()).unwrap();
    assert_eq!(report.count_of(DifferenceKind::Taken), 1, "{report}");
    assert_eq!(older(&store), before);
    let found = Tables::from(store).blocking().get(&before::Person::point("a", 2)).unwrap().unwrap();
    assert_eq!(found.mail, "m2");
}

/// A clock of the service, in seconds after its start.
#[derive(Clone, Debug, Default)]
pub(super) struct Time(Arc<AtomicI64>);

impl Time {
    /// Advances the clock by at least this duration.
    pub(super) fn pass(&self, rest: Duration) {
        _ = self.0.fetch_add(i64::try_from(rest.as_secs()).unwrap() + 1, Ordering::Relaxed);
    }
}

impl Clock for Time {
    fn now(&self) -> Timestamp {
        let start = Timestamp::UNIX_EPOCH.ticks();
        Timestamp::from_ticks(start + (1 + self.0.load(Ordering::Relaxed)) * 10_000_000).unwrap()
    }
}

/// The registry keeps the index until the rows are moved or deleted.
#[test]
fn an_index_is_not_dropped_while_rows_may_be_entities() {
    let time = Time::default();
    let store = OpenOptions::new().clock(time.clone()).in_memory().unwrap();
    let registered = || Tables::from(store.clone()).with_registry();
    registered().blocking().insert(&person(4)).unwrap();
    let Person { team, id, mail } = person(1);
    Tables::from(store.clone()).blocking().insert(&before::Person { team, id, mail }).unwrap();
    let tables = registered();
    let dropped = || {
        for _ in 0..20 {
            match pollster::block_on(tables.drop_index::<Person>("by_old").step()).unwrap() {
                IndexStep::Wait(rest) => time.pass(rest),
                IndexStep::Stuck(rows) => return Some(rows),
                IndexStep::Done => return None,
                _ => {}
            }
        }
        unreachable!("the change has no end")
    };
    let rows = dropped().unwrap();
    assert_eq!((rows.len(), rows[0].what), (1, DifferenceKind::Unknown));
    assert_eq!(older(&store), [1]);
    let indexes = pollster::block_on(tables.indexes::<Person>()).unwrap();
    assert_eq!(indexes.len(), 1);
    // The user decides.
    tables.blocking().delete_at(DynamicEntity::point("Staff", "a", "empid_000001")).unwrap();
    assert!(dropped().is_none());
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{town}", row = "n_{id:04}", entity_type = "Note")]
#[table(index(by_word, table = "Words", partition = "{word}", row = "{town}_{id:04}"))]
struct NoteV1 {
    town: String,
    id: u16,
    word: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Notes",
    partition = "{town}",
    row = "n_{id:04}",
    entity_type = "Note",
    version = 2,
    oldest = 2
)]
#[table(index(by_word, table = "Words", partition = "{word}", row = "{town}_{id:04}"))]
struct Note {
    town: String,
    id: u16,
    word: String,
}

/// Another program upgrades the entity and applies its commit, so no attempt is counted.
#[test]
fn a_commit_of_a_retired_version_is_left_and_not_tried() {
    let store = Store::in_memory().unwrap();
    let tables = Tables::from(store.clone()).with_deferred_updates();
    tables.blocking().insert(&NoteV1 { town: "Oslo".into(), id: 1, word: "hello".into() }).unwrap();
    let newer = Tables::from(store);
    newer.register_entity::<Note>();
    for _ in 0..8 {
        let pass = pollster::block_on(newer.catch_up()).unwrap();
        assert_eq!((pass.left, pass.dead_lettered), (1, 0), "{pass:?}");
        let [left] = pass.reasons.as_slice() else { unreachable!("{:?}", pass.reasons) };
        assert_eq!(left.reason, LeftReason::RetiredVersion, "{left}");
    }
    assert_eq!(pollster::block_on(newer.lag()).unwrap().dead_lettered, 0);
    tables.register_entity::<NoteV1>();
    assert_eq!(pollster::block_on(tables.catch_up()).unwrap().followed, 1);
}

mod moves {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Desks", partition = "{room}", row = "d_{id:04}", entity_type = "OldDesk")]
    #[table(index(by_name, row = "name_{name}_{id:04}"))]
    #[table(index(by_owner, partition = "o_{name}", row = "{room}_{id:04}"))]
    pub(super) struct DeskV1 {
        pub(super) room: String,
        pub(super) id: u16,
        pub(super) name: String,
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Desks", partition = "{room}", row = "desk_{id:06}", entity_type = "Desk")]
    #[table(index(by_name, row = "name_{name}_{id:04}"))]
    pub(super) struct Desk {
        pub(super) room: String,
        pub(super) id: u16,
        pub(super) name: String,
    }
}
use moves::{Desk, DeskV1};

/// Rows of an index in the partition do not name their entity, so both types of a move cannot have them at equal keys.
#[test]
fn near_indexes_of_a_move_cannot_have_equal_keys() {
    let collision = Desk::DESIGN.collision_while_moving(DeskV1::DESIGN);
    let collision = collision.map(|found| (found.rows, found.other_rows));
    assert_eq!(collision, Some(("by_name", "by_name")));
}

/// A type whose index rows contain all fields.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pages", partition = "{site}", row = "p_{id:04}")]
#[table(index(by_word, row = "w_{word}_{id:04}"))]
#[table(index(by_size, partition = "s_{size:04}", row = "{site}_{id:04}"))]
struct Page {
    site: String,
    id: u32,
    word: String,
    size: u32,
}

fn merge(store: &Store, key: (&str, &str), property: &str) {
    let mut row = Entity::new(key.0, key.1);
    row.properties.set(property.to_owned(), "mine");
    let table = TableName::new("Pages").unwrap();
    pollster::block_on(store.execute(&table, &Operation::Merge(row, Condition::Exists))).unwrap();
}

#[test]
fn an_index_row_with_a_property_of_another_client_is_left() {
    let store = Store::in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for id in 1..=3 {
        let page = Page { site: "a".into(), id, word: "w".into(), size: 7 };
        tables.blocking().insert(&page).unwrap();
    }
    // Properties that only the index rows of entity 2 have.
    merge(&store, ("a", "w_w_0002"), "note");
    merge(&store, ("s_0007", "a_0002"), "note");
    // A property that no type declares, in the entity and in the index rows that a typed write copies it to.
    merge(&store, ("a", "p_0003"), "more");
    let b = tables.blocking();
    b.update(Page::point("a", 3), |page| page.size = 8).unwrap();
    for (index, row) in [("by_word", "w_w_0002"), ("by_size", "a_0002")] {
        let dry = b.sweep(tables.remove_index_rows::<Page>(index).dry_run()).unwrap();
        let removed = b.sweep(tables.remove_index_rows::<Page>(index)).unwrap();
        for report in [dry, removed] {
            assert_eq!((report.removed, report.left_count), (2, 1), "{index}");
            assert_eq!(
                (report.left[0].what, report.left[0].address.row_key()),
                (DifferenceKind::Unknown, row)
            );
        }
    }
    let kept = b.get(&DynamicEntity::point("Pages", "a", "w_w_0002")).unwrap();
    assert!(kept.is_some());
}

/// Types whose lists are in the partition of the entity, and in another table.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pages", partition = "{site}", row = "q_{id:04}")]
#[table(lookup(near, on = word, ids = "Ids"))]
#[table(lookup(far, on = word, place = table, table = "Pages", partition = "far_{word}", ids = "Members"))]
struct Listed {
    site: String,
    id: u32,
    word: String,
}

#[test]
fn a_list_with_a_property_of_another_client_is_left() {
    let store = Store::in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for (id, word) in [(1, "a"), (2, "b"), (3, "b")] {
        tables.blocking().insert(&Listed { site: "s".into(), id, word: word.into() }).unwrap();
    }
    let b = tables.blocking();
    let lists = |start: &str| -> Vec<(String, String)> {
        let query = table_store::Query::default();
        let found = pollster::block_on(store.query(&TableName::new("Pages").unwrap(), query)).unwrap();
        let keys = found.rows.iter().filter_map(|row| row.partition_key.zip(row.row_key));
        let keys = keys.filter(|(_, row_key)| !row_key.starts_with("q_") && !row_key.starts_with('!'));
        let keys = keys.filter(|(partition_key, _)| partition_key.starts_with(start));
        keys.map(|(partition_key, row_key)| (partition_key.to_owned(), row_key.to_owned())).collect()
    };
    for (lookup, start) in [("near", "s"), ("far", "far_")] {
        let all = lists(start);
        assert_eq!(all.len(), 2, "{all:?}");
        let (partition_key, row_key) = &all[1];
        merge(&store, (partition_key, row_key), "note");
        let dry = b.sweep(tables.remove_index_rows::<Listed>(lookup).dry_run()).unwrap();
        let removed = b.sweep(tables.remove_index_rows::<Listed>(lookup)).unwrap();
        for report in [dry, removed] {
            assert_eq!((report.removed, report.left_count), (1, 1), "{lookup}");
            assert_eq!(report.left[0].what, DifferenceKind::Unknown);
        }
        assert_eq!(lists(start), all[1..]);
    }
}

/// Pages 1 to 4, each with rows of both indexes.
fn pages() -> (Store, Tables) {
    let store = Store::in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for id in 1..=4 {
        let page = Page { site: "a".into(), id, word: "w".into(), size: 7 };
        tables.blocking().insert(&page).unwrap();
    }
    (store, tables)
}

/// The index rows of a page.
fn rows_of(id: u32) -> [(&'static str, String); 2] {
    [("a", format!("w_w_{id:04}")), ("s_0007", format!("a_{id:04}"))]
}

fn value(tables: &Tables, key: (&str, &str), property: &str) -> Option<String> {
    let row = tables.blocking().get(&DynamicEntity::point("Pages", key.0, key.1)).unwrap()?;
    row.value(property).map(|value| format!("{value:?}"))
}

#[test]
fn a_repair_loses_no_property_of_another_client() {
    let (store, tables) = pages();
    let b = tables.blocking();
    for (partition_key, row_key) in rows_of(1) {
        merge(&store, (partition_key, &row_key), "note");
    }
    // Incorrect in every respect.
    for (partition_key, row_key) in rows_of(2) {
        merge(&store, (partition_key, &row_key), "note");
        merge(&store, (partition_key, &row_key), "word");
    }
    // Incorrect, and nothing of another client.
    for (partition_key, row_key) in rows_of(3) {
        merge(&store, (partition_key, &row_key), "word");
    }
    // The entity has the property, so the index rows with all fields lack it.
    merge(&store, ("a", "p_0004"), "more");
    let dry = b.sweep(tables.verify::<Page>()).unwrap();
    let kinds = |report: &table_patterns::VerifyReport| {
        [DifferenceKind::Unknown, DifferenceKind::Stale].map(|what| report.count_of(what))
    };
    assert_eq!((kinds(&dry), dry.count()), ([4, 4], 8), "{dry}");
    let report = b.sweep(tables.verify::<Page>().repair()).unwrap();
    assert_eq!((kinds(&report), report.repaired), ([4, 4], 4), "{report}");
    let left = report.differences.iter().filter(|one| one.what == DifferenceKind::Unknown);
    assert!(left.clone().all(|one| matches!(one.repair, RepairStatus::Left) && one.index.is_some()));
    for index in ["by_word", "by_size"] {
        let reindexed = b.sweep(tables.reindex::<Page>(index)).unwrap();
        assert_eq!((reindexed.written, reindexed.without_count), (0, 2), "{reindexed:?}");
    }
    for (partition_key, row_key) in rows_of(1).into_iter().chain(rows_of(2)) {
        assert!(value(&tables, (partition_key, &row_key), "note").is_some(), "{row_key}");
    }
    for (partition_key, row_key) in rows_of(4) {
        assert!(value(&tables, (partition_key, &row_key), "more").is_some(), "{row_key}");
    }
    // The user decides.
    for (partition_key, row_key) in rows_of(2) {
        b.delete_at(DynamicEntity::point("Pages", partition_key, &row_key)).unwrap();
    }
    let report = b.sweep(tables.verify::<Page>().repair()).unwrap();
    assert_eq!((report.count_of(DifferenceKind::Missing), report.count(), report.repaired), (2, 4, 2));
}

#[test]
fn an_orphaned_row_with_a_property_of_another_client_is_left() {
    let (store, tables) = pages();
    let b = tables.blocking();
    for (partition_key, row_key) in rows_of(1) {
        merge(&store, (partition_key, &row_key), "note");
    }
    for id in 1..=2 {
        b.delete_at(DynamicEntity::point("Pages", "a", format!("p_{id:04}"))).unwrap();
    }
    let report = b.sweep(tables.verify::<Page>().repair()).unwrap();
    let found = [DifferenceKind::Unknown, DifferenceKind::Orphaned].map(|what| report.count_of(what));
    assert_eq!((found, report.count(), report.repaired), ([2, 2], 4, 2), "{report}");
    for (partition_key, row_key) in rows_of(1) {
        assert!(value(&tables, (partition_key, &row_key), "note").is_some(), "{row_key}");
    }
    for (partition_key, row_key) in rows_of(2) {
        assert!(value(&tables, (partition_key, &row_key), "size").is_none(), "{row_key}");
    }
}

/// A list without members is otherwise deleted.
#[test]
fn a_repair_keeps_a_list_with_a_property_of_another_client() {
    for (lookup, is_far) in [("near", false), ("far", true)] {
        let store = Store::in_memory().unwrap();
        let tables = Tables::from(store.clone());
        let b = tables.blocking();
        b.insert(&Listed { site: "s".into(), id: 1, word: "a".into() }).unwrap();
        let query = table_store::Query::default();
        let found = pollster::block_on(store.query(&TableName::new("Pages").unwrap(), query)).unwrap();
        let keys = found.rows.iter().filter_map(|row| row.partition_key.zip(row.row_key));
        let list = keys
            .filter(|(partition_key, row_key)| {
                partition_key.starts_with("far_") == is_far && !row_key.starts_with(['q', '!'])
            })
            .map(|(partition_key, row_key)| (partition_key.to_owned(), row_key.to_owned()))
            .next()
            .unwrap();
        merge(&store, (&list.0, &list.1), "note");
        b.delete_at(DynamicEntity::point("Pages", "s", "q_0001")).unwrap();
        let report = b.sweep(tables.verify::<Listed>().repair()).unwrap();
        let is_left = |one: &table_patterns::Difference| {
            one.what == DifferenceKind::Unknown && one.index == Some(lookup)
        };
        assert!(report.differences.iter().any(is_left), "{report}");
        assert!(value(&tables, (&list.0, &list.1), "note").is_some(), "{report}");
    }
}
