//! Entities that return from their archive.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use pollster::block_on;
use table_patterns::{PointQuery, Timestamp, prelude::*, testing::TestClock};

use super::rows;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{book}", row = "n_{id:03}", archive = "OldNotes")]
#[table(index(by_text, row = "text_{text}", unique))]
struct Note {
    book: String,
    id: u32,
    text: String,
    #[table(created)]
    created: Option<Timestamp>,
    #[table(updated)]
    updated: Option<Timestamp>,
}

fn note(text: &str) -> Note {
    Note { book: "a".into(), id: 1, text: text.into(), created: None, updated: None }
}

fn current(tables: &Tables) -> Note {
    tables.blocking().get(&Note::point("a", 1)).unwrap().unwrap().into_inner()
}

fn archive_row() -> PointQuery<DynamicEntity> {
    DynamicEntity::point("OldNotes", "a", "n_001")
}

fn archived_row(tables: &Tables) -> DynamicEntity {
    tables.blocking().get(&archive_row()).unwrap().unwrap().into_inner()
}

/// Returns a handle with an archived note, one hour after its creation, and the time of its creation.
fn archived() -> (Tables, Option<Timestamp>) {
    let clock = TestClock::new("2030-01-01T00:00:00Z".parse().unwrap());
    let time = clock.clone();
    let tables = Tables::in_memory().unwrap().with_clock(move || time.now());
    tables.blocking().insert(&note("one")).unwrap();
    let created = current(&tables).created;
    assert!(block_on(tables.move_entity(&note("").key(), "OldNotes")).unwrap());
    clock.advance(Duration::from_secs(3600));
    (tables, created)
}

#[test]
fn reopened_entity_keeps_its_creation_and_undeclared_properties() {
    let (tables, created) = archived();
    let mut row = tables.blocking().get(&archive_row()).unwrap().unwrap();
    row.set("Added", "later");
    tables.blocking().replace(&row).unwrap();
    assert!(block_on(tables.reopen(&note("").key())).unwrap());

    let reopened = current(&tables);
    assert_eq!((reopened.created, &*reopened.text), (created, "one"));
    assert!(reopened.updated > created, "{:?}", reopened.updated);
    assert_eq!(rows(&tables, "Notes"), ["n_001", "text_one"]);
    assert_eq!(rows(&tables, "OldNotes"), [""; 0]);
    let bag = tables.blocking().get(&DynamicEntity::point("Notes", "a", "n_001")).unwrap().unwrap();
    assert_eq!(bag.get::<String>("Added").unwrap().as_deref(), Some("later"));
    // Its time of creation remains with later writes, and the archive no longer contains it.
    block_on(tables.update(Note::point("a", 1), |note| note.text = "two".into())).unwrap();
    assert_eq!(current(&tables).created, created);
    assert!(!block_on(tables.reopen(&note("").key())).unwrap());
}

#[test]
fn interrupted_reopening_continues() {
    let (tables, _) = archived();
    let row = archived_row(&tables);
    assert!(block_on(tables.reopen(&note("").key())).unwrap());
    let reopened = current(&tables);
    // The state between insert and delete.
    tables.blocking().insert(&row).unwrap();
    assert!(block_on(tables.reopen(&note("").key())).unwrap());
    assert_eq!((current(&tables), rows(&tables, "OldNotes")), (reopened, vec![]));
}

#[test]
fn reopening_is_rejected_while_the_entity_is_moved() {
    let (tables, _) = archived();
    let mut row = archived_row(&tables);
    assert!(block_on(tables.reopen(&note("").key())).unwrap());
    // A move wrote the archive's row and has not deleted the entity yet.
    let stored = tables.blocking().get(&Note::point("a", 1)).unwrap().unwrap();
    row.set("_se", stored.etag().to_string());
    tables.blocking().insert(&row).unwrap();
    let error = block_on(tables.reopen(&note("").key())).unwrap_err();
    assert!(matches!(error, Error::AlreadyExists(_)), "{error}");
    assert_eq!(rows(&tables, "OldNotes"), ["n_001"]);
}

#[test]
fn reopening_replaces_no_other_entity() {
    let (tables, _) = archived();
    tables.blocking().insert(&note("new")).unwrap();
    let error = block_on(tables.reopen(&note("").key())).unwrap_err();
    assert!(matches!(error, Error::AlreadyExists(_)), "{error}");
    assert_eq!((&*current(&tables).text, rows(&tables, "OldNotes").len()), ("new", 1));
}
