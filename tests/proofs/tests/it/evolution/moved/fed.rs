//! Moves of entities with a change feed: a delete in the feed of the old type, an insert in that of the new type.

use table_patterns::{ChangeEvent, ChangeKind, HasChanges, MoveState::*};

use super::{place::move_with_equal_fields, *};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{owner}", row = "{id:04}", entity_type = "Note", changes(old))]
struct NoteV1 {
    owner: String,
    id: u32,
    text: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "AllNotes",
    partition = "of_{owner}",
    row = "note_{id:08}",
    entity_type = "Note",
    changes(old)
)]
struct Note {
    owner: String,
    id: u32,
    text: String,
}

move_with_equal_fields!(NoteV1 NoteV1Key => Note NoteKey { owner, id, text } key { owner, id });

fn note(id: u32, text: &str) -> Note {
    Note { owner: "a".into(), id, text: text.into() }
}

/// Returns the kinds of all changes of a type.
fn kinds<E: HasChanges>(tables: &Tables) -> Vec<ChangeKind> {
    let batch = block_on(tables.changes::<E>().next_batch()).unwrap();
    batch.changes.iter().map(ChangeEvent::kind).collect()
}

#[test]
fn a_move_is_a_delete_and_an_insert() {
    use ChangeKind::{Delete, Insert, Update};

    let (tables, calendar) = embedded();
    tables.blocking().insert(&NoteV1::from(note(1, "one"))).unwrap();
    go_to::<Note>(&tables, &calendar, Both);
    let notes = tables.moving::<Note>();
    block_on(notes.update(&note(1, "").key(), |note| note.text = "two".into())).unwrap();
    assert_eq!(kinds::<NoteV1>(&tables), [Insert, Delete]);
    assert_eq!(kinds::<Note>(&tables), [Insert, Update]);
    let batch = block_on(tables.changes::<NoteV1>().next_batch()).unwrap();
    let last = batch.changes.iter().last().unwrap();
    assert_eq!((last.new(), last.old().map(|note| &*note.text)), (None, Some("one")));
    go_to::<Note>(&tables, &calendar, Gone);
    assert!(block_on(notes.delete_at(&note(1, "").key())).unwrap());
    assert_eq!(kinds::<Note>(&tables), [Insert, Update, Delete]);
}

#[test]
fn requests_of_a_move_with_a_change_feed() {
    let requests = |count: u32| {
        let calendar = Calendar::new();
        let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
        let counting = Counting::new(store);
        let tables = Tables::new(counting.clone()).with_registry_by(Arc::new(calendar.clone()));
        for id in 0..count {
            tables.blocking().insert(&NoteV1::from(note(id, "one"))).unwrap();
        }
        go_to::<Note>(&tables, &calendar, Both);
        counting.take();
        // One after the other, so that they do not wait for the same head.
        for id in 0..count {
            block_on(tables.moving::<Note>().update(&note(id, "").key(), |_| {})).unwrap();
        }
        counting.take().all()
    };
    // 2 to read, 6 to move with the previous state, and 2 to replace with the previous state.
    assert_eq!(requests(21) - requests(1), 20 * 10);
}

/// The entities of a page are moved concurrently, and all of them change the heads of the same two partitions.
#[test]
fn a_job_moves_many_entities_of_one_partition() {
    let (tables, calendar) = embedded();
    for id in 0..100 {
        tables.blocking().insert(&NoteV1::from(note(id, "one"))).unwrap();
    }
    go_to::<Note>(&tables, &calendar, Gone);
    let count = |kinds: Vec<ChangeKind>, kind| kinds.into_iter().filter(|one| *one == kind).count();
    assert_eq!(count(kinds::<NoteV1>(&tables), ChangeKind::Delete), 100);
    assert_eq!(count(kinds::<Note>(&tables), ChangeKind::Insert), 100);
}
