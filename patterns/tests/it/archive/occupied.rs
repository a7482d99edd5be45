//! Archive tables with other rows at the keys of the entity that is moved.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use pollster::block_on;
use table_patterns::{TaskError, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Items", partition = "{shop}", row = "i_{id:06}", archive = "Others")]
struct Item {
    shop: String,
    id: u32,
    note: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Goods", partition = "{shop}", row = "i_{id:06}", archive = "Others")]
struct Good {
    shop: String,
    id: u32,
    weight: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Others", partition = "{shop}", row = "i_{id:06}")]
struct Other {
    shop: String,
    id: u32,
    precious: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Parts", partition = "{shop}", row = "i_{id:06}")]
#[table(index(by_number, table = "Others", partition = "{shop}", row = "i_{number:06}", unique))]
struct Part {
    shop: String,
    id: u32,
    number: u32,
}

/// The archived items, which a program reads as entities of their own.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Others", partition = "{shop}", row = "i_{id:06}", entity_type = "Item")]
struct FormerItem {
    shop: String,
    id: u32,
    note: String,
}

fn item() -> Item {
    Item { shop: "s".into(), id: 1, note: "new".into() }
}

/// Moves the item, and returns the description of the row that prevented it. The item and that row are unchanged.
fn refused(tables: &Tables) -> String {
    let there = DynamicEntity::point("Others", "s", "i_000001");
    let before = tables.blocking().get(&there).unwrap().unwrap();
    tables.blocking().insert(&item()).unwrap();
    let error = block_on(tables.move_entity(&item().key(), "Others")).unwrap_err();
    assert_eq!(*tables.blocking().get(&Item::point("s", 1)).unwrap().unwrap(), item());
    let after = tables.blocking().get(&there).unwrap().unwrap();
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
    let text = error.to_string();
    assert!(text.starts_with("cannot move `Item` to Others(PartitionKey='s',RowKey='i_000001')"), "{text}");
    assert!(text.contains("declare an archive table that contains no other rows"), "{text}");
    let Error::Task(TaskError::Occupied { entity: "Item", found, .. }) = error else { panic!("{error:?}") };
    found
}

#[test]
fn entity_of_another_type_is_not_replaced() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&Other { shop: "s".into(), id: 1, precious: "gold".into() }).unwrap();
    assert_eq!(refused(&tables), "of the entity type \"Other\"");
}

#[test]
fn archived_entity_of_another_type_is_not_replaced() {
    let tables = Tables::in_memory().unwrap();
    let good = Good { shop: "s".into(), id: 1, weight: 7 };
    tables.blocking().insert(&good).unwrap();
    assert!(block_on(tables.move_entity(&good.key(), "Others")).unwrap());
    assert_eq!(refused(&tables), "of the entity type \"Good\"");
    assert_eq!(block_on(tables.archived(&good.key())).unwrap(), Some(good));
}

#[test]
fn index_row_is_not_replaced() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&Part { shop: "s".into(), id: 9, number: 1 }).unwrap();
    block_on(tables.catch_up()).unwrap();
    assert_eq!(refused(&tables), "a row of an index, a lookup or an aggregate");
    assert!(block_on(tables.verify::<Part>().run()).unwrap().is_clean());
}

#[test]
fn untyped_row_of_another_client_is_not_replaced() {
    let tables = Tables::in_memory().unwrap();
    let mut row = DynamicEntity::new("Others", "s", "i_000001").unwrap();
    row.set("Note", "of another client");
    tables.blocking().insert(&row).unwrap();
    assert_eq!(refused(&tables), "without an EntityType");
}

#[test]
fn archived_row_of_the_entity_is_replaced() {
    let tables = Tables::in_memory().unwrap();
    let former = FormerItem { shop: "s".into(), id: 1, note: "old".into() };
    tables.blocking().insert(&former).unwrap();
    tables.blocking().insert(&item()).unwrap();
    assert!(block_on(tables.move_entity(&item().key(), "Others")).unwrap());
    assert_eq!(block_on(tables.archived(&item().key())).unwrap(), Some(item()));
    // Rows that another client wrote without an `EntityType` are moved, and moved again.
    for note in ["first", "second"] {
        let mut row = DynamicEntity::new("Items", "s", "i_000002").unwrap();
        row.set("Note", note);
        row.set("note", note);
        tables.blocking().insert(&row).unwrap();
        let key = ItemKey { shop: "s".into(), id: 2 };
        assert!(block_on(tables.move_entity(&key, "Others")).unwrap());
        assert_eq!(block_on(tables.archived(&key)).unwrap().unwrap().note, note);
    }
}

#[test]
fn worker_keeps_the_message_and_the_entity() {
    let tables = Tables::in_memory().unwrap();
    let other = Other { shop: "s".into(), id: 1, precious: "gold".into() };
    tables.blocking().insert(&other).unwrap();
    tables.blocking().insert(&item()).unwrap();
    block_on(tables.send(&Archive::<Item>::of(&item().key()).unwrap())).unwrap();
    let report = block_on(tables.worker().on::<Archive<Item>>().pass()).unwrap();
    assert_eq!((report.done, report.failed, report.poisoned), (0, 1, 0));
    assert_eq!((report.commits.left, report.commits.dead_lettered), (0, 0));
    assert_eq!(*tables.blocking().get(&Item::point("s", 1)).unwrap().unwrap(), item());
    assert_eq!(*tables.blocking().get(&Other::point("s", 1)).unwrap().unwrap(), other);
}

#[test]
fn types_that_share_the_rows_of_an_archive_are_rejected() {
    let item = <Item as TableEntity>::DESIGN;
    let with = |other: &'static table_patterns::design::Design| {
        let found = item.collision(other).map(|found| (found.rows, found.other_rows));
        let back = other.collision(item).map(|found| (found.other_rows, found.rows));
        assert_eq!(found, back);
        found
    };
    assert_eq!(with(<Other as TableEntity>::DESIGN), Some(("archive", "row")));
    assert_eq!(with(<Good as TableEntity>::DESIGN), Some(("archive", "archive")));
    assert_eq!(with(<Part as TableEntity>::DESIGN), Some(("archive", "by_number")));
    assert_eq!(with(<FormerItem as TableEntity>::DESIGN), None);

    let tables = Tables::in_memory().unwrap();
    tables.register_entity::<Item>();
    tables.register_entity::<Good>();
    let error = block_on(tables.catch_up()).unwrap_err();
    let Error::Collision(found) = error else { panic!("{error:?}") };
    assert_eq!((found.rows, found.other_rows), ("archive", "archive"));
}
