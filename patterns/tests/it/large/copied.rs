//! References to blobs in untyped entities.

use table_patterns::{BlobError, Value, prelude::*};

use super::people::{World, long, note};

/// Creates a note with a blob. Returns the text of its reference.
fn noted() -> (World, String) {
    let world = World::new();
    world.tables.blocking().insert(&note(long(1))).unwrap();
    let Some(Value::String(text)) = world.stored("Notes", "jo", "001", "text") else { panic!("a name") };
    (world, text)
}

fn untyped(row_key: &str, text: &str) -> DynamicEntity {
    let mut entity = DynamicEntity::new("Notes", "jo", row_key).unwrap();
    entity.set("title", "copy");
    entity.set("text", text);
    entity
}

fn is_refused<T>(written: Result<T>) -> bool {
    let Err(error) = written else { return false };
    assert!(error.to_string().contains("`Blob`"), "{error}");
    matches!(error, Error::Blob(BlobError::NotOwned { .. }))
}

#[test]
fn a_copied_reference_is_refused() {
    let (world, text) = noted();
    let b = world.tables.blocking();
    assert!(is_refused(b.insert(&untyped("002", &text))));
    assert!(is_refused(b.upsert(&untyped("002", &text))));
    assert!(is_refused(b.replace_any(&untyped("002", &text))));
    let elsewhere = DynamicEntity::new("Others", "jo", "001").map(|mut entity| {
        entity.set("text", text.as_str());
        entity
    });
    assert!(is_refused(b.insert(&elsewhere.unwrap())));

    b.insert(&untyped("002", "short")).unwrap();
    let mut stored = b.get(&DynamicEntity::point("Notes", "jo", "002")).unwrap().unwrap();
    stored.set("text", text);
    assert!(is_refused(b.merge(stored.changes())));
    assert!(is_refused(b.replace(&stored)));
}

#[test]
fn an_entity_keeps_a_reference_to_its_own_blob() {
    let (world, text) = noted();
    world.tables.blocking().upsert(&untyped("001", &text)).unwrap();
}

#[test]
fn text_that_resembles_a_reference_is_written() {
    let (world, text) = noted();
    let b = world.tables.blocking();
    let name = text.split('"').nth(3).unwrap();
    for similar in [
        text.replace(name, "photos/1.jpg"),
        text.replace("\"length\"", "\"size\""),
        text.replace(name, &format!("{name}/1")),
        format!(" {text}"),
        name.to_owned(),
    ] {
        b.upsert(&untyped("002", &similar)).unwrap();
        assert_eq!(world.stored("Notes", "jo", "002", "text"), Some(Value::from(similar)));
    }
}
