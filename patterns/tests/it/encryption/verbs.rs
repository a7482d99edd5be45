use table_patterns::{DecryptError, Error, Value, ValueError, prelude::*};

use crate::encryption::staff::{Note, SECRET, handles, note, refusal, stored};

const FIRST: (&str, &str) = ("jo", "001");

fn is_sealed(tables: &Tables, property: &str) -> bool {
    matches!(stored(tables, "Notes", FIRST, property), Some(Value::Binary(_)))
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Note)]
struct Text {
    id: u8,
    text: Option<String>,
}

#[test]
fn what_is_written_is_binary_and_what_is_read_is_what_was_written() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    for property in ["text", "mood", "tags"] {
        assert!(is_sealed(&clear, property), "{property}");
    }
    assert_eq!(stored(&clear, "Notes", FIRST, "pinned"), Some(Value::Boolean(false)));

    let found = sealing.blocking().get(&Note::point("jo", 1)).unwrap().unwrap();
    assert_eq!(*found, note(1));
    assert_eq!(sealing.blocking().all(&Note::rows("jo")).unwrap().len(), 1);
    let texts = sealing.blocking().all(&Note::rows("jo").select::<Text>()).unwrap();
    assert_eq!(texts, [Text { id: 1, text: Some(SECRET.into()) }]);
}

#[test]
fn what_is_absent_stays_absent() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&Note { text: None, ..note(1) }).unwrap();
    assert_eq!(stored(&clear, "Notes", FIRST, "text"), None);
    assert_eq!(sealing.blocking().get(&Note::point("jo", 1)).unwrap().unwrap().text, None);
}

#[test]
fn the_same_value_is_never_the_same_ciphertext() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    let first = stored(&clear, "Notes", FIRST, "text");
    sealing.blocking().upsert(&note(1)).unwrap();
    assert_ne!(stored(&clear, "Notes", FIRST, "text"), first);
}

#[test]
fn every_verb_seals() {
    let (clear, sealing) = handles();
    let tables = sealing.blocking();
    let read = || tables.get(&Note::point("jo", 1)).unwrap().unwrap();
    let mut expected = note(1);
    tables.upsert(&expected).unwrap();

    expected.mood = 4;
    tables.replace_any(&expected).unwrap();
    assert_eq!(*read(), expected);

    expected.mood = 5;
    let mut stored = read();
    stored.mood = 5;
    tables.replace(&stored).unwrap();
    assert_eq!(*read(), expected);

    // A merge encrypts the properties that it sets, and leaves the others unchanged.
    expected.mood = 6;
    tables.merge(Note::patch("jo", 1).mood(6)).unwrap();
    assert_eq!(*read(), expected);
    expected.text = Some("other".into());
    tables.merge(read().patch().text("other".into())).unwrap();
    assert_eq!(*read(), expected);
    expected.mood = 7;
    tables.upsert_merge(Note::patch("jo", 1).mood(7)).unwrap();
    assert_eq!(*read(), expected);

    expected.mood = 8;
    pollster::block_on(sealing.update(Note::point("jo", 1), |note| note.mood = 8)).unwrap();
    assert_eq!(*read(), expected);

    // Moved to another row: encrypted again for this row.
    let mut stored = read();
    stored.id = 2;
    tables.rekey(&stored).unwrap();
    expected.id = 2;
    assert_eq!(*tables.get(&Note::point("jo", 2)).unwrap().unwrap(), expected);
    assert!(matches!(
        crate::encryption::staff::stored(&clear, "Notes", ("jo", "002"), "mood"),
        Some(Value::Binary(_))
    ));
}

#[test]
fn transactions_and_bulks_seal() {
    let (clear, sealing) = handles();
    pollster::block_on(sealing.transact().insert(&note(1)).upsert(&note(2)).commit()).unwrap();
    let many: Vec<Note> = (3..200).map(note).collect();
    let report = pollster::block_on(sealing.bulk().insert_all(&many).run()).unwrap();
    assert_eq!(report.into_result().unwrap(), 197);
    let found = sealing.blocking().all(&Note::rows("jo")).unwrap();
    assert_eq!(found.len(), 199);
    assert!(found.iter().all(|found| **found == note(found.id)));
    assert!(is_sealed(&clear, "text"));
}

#[test]
fn a_bulk_counts_what_is_sent() {
    let (_, sealing) = handles();
    // As plain text the hundred rows would fit in 4 MiB. A string with three bytes per UTF-16 unit grows when it is
    // encrypted.
    let text = "\u{20ac}".repeat(15_000);
    let many: Vec<Note> = (1..=100).map(|id| Note { text: Some(text.clone()), ..note(id) }).collect();
    let report = pollster::block_on(sealing.bulk().insert_all(&many).run()).unwrap();
    assert_eq!(report.groups.len(), 2);
    assert_eq!(report.into_result().unwrap(), 100);
}

#[test]
fn without_keys_nothing_is_written_and_nothing_is_read() {
    let (clear, sealing) = handles();
    let is_refused = |error: Error| {
        let Error::Property(error) = error else { panic!("{error:?}") };
        assert_eq!(error.reason, ValueError::Encrypted(DecryptError::NoKeys));
        assert!(error.to_string().contains("`Note."), "{error}");
    };
    is_refused(clear.blocking().insert(&note(1)).unwrap_err());
    is_refused(clear.blocking().upsert(&note(1)).unwrap_err());
    is_refused(clear.blocking().upsert_merge(Note::patch("jo", 1).mood(1)).unwrap_err());
    assert_eq!(stored(&clear, "Notes", FIRST, "mood"), None);

    sealing.blocking().insert(&note(1)).unwrap();
    let error = clear.blocking().get(&Note::point("jo", 1)).unwrap_err();
    assert!(error.to_string().contains("RowKey \"001\""), "{error}");
    assert_eq!(refusal(error), ("001".into(), "text".into(), DecryptError::NoKeys));
    // Properties that are not encrypted need no keys.
    clear.blocking().merge(Note::patch("jo", 1).pinned(true)).unwrap();
    assert!(sealing.blocking().get(&Note::point("jo", 1)).unwrap().unwrap().pinned);
}
