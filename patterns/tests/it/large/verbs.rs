use table_patterns::{Value, prelude::*};

use super::people::{Holder, Note, Person, World, long, note, person};

#[test]
fn a_short_value_is_in_the_row_and_a_long_one_in_a_blob_that_the_row_names() {
    pollster::block_on(async {
        let world = World::new();
        world.tables.insert(&note(Blob::new("0123456789"))).await.unwrap();
        assert_eq!(world.stored("Notes", "jo", "001", "text"), Some(Value::Binary(b"0123456789".to_vec())));
        assert!(world.blobs("Notes").is_empty());

        let tables = &world.tables;
        tables.upsert(&note(Blob::new("01234567890"))).await.unwrap();
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        let name = stored.text.name().unwrap().to_owned();
        assert!(name.starts_with("notes/"), "{name}");
        assert_eq!(name.split('/').nth(3), Some("text"));
        assert_eq!(world.blobs("Notes"), std::slice::from_ref(&name));
        let Some(Value::String(text)) = world.stored("Notes", "jo", "001", "text") else { panic!("a name") };
        assert!(text.starts_with(&format!(r#"{{"blob":"{name}","length":11,"sha256":""#)), "{text}");
        assert_eq!((stored.text.len(), stored.text.hash()), (Some(11), Blob::new("01234567890").hash()));
        assert_eq!(stored.text.read(tables).await.unwrap(), "01234567890");
        assert!(world.left("Notes").is_empty());
    });
}

#[test]
fn a_value_that_is_replaced_or_set_to_none_leaves_no_blob() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&Person { cv: Some(long(2)), ..person(1) }).await.unwrap();
        assert_eq!(world.blobs("People").len(), 2);

        let mut stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        let before = stored.photo.name().unwrap().to_owned();
        stored.photo = long(3);
        stored.cv = None;
        let written = tables.replace(&stored).await.unwrap();
        let now = world.blobs("People");
        assert!(now.len() == 1 && now[0] != before, "{now:?}");

        // The written state includes the blob, so the next replace releases it.
        let mut stored = stored.written(&written);
        stored.photo = Blob::new("short");
        tables.replace(&stored).await.unwrap();
        assert!(world.blobs("People").is_empty());
        assert!(world.left("People").is_empty());
    });
}

#[test]
fn a_write_that_does_not_touch_the_value_keeps_its_blob() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let blobs = world.blobs("People");

        let mut stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        stored.age = 31;
        tables.replace(&stored).await.unwrap();
        tables.merge(Person::patch("a", 1)).await.unwrap();
        tables.update(Person::point("a", 1), |person| person.desk = "5c".into()).await.unwrap();
        let stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.upsert(&stored.clone().into_inner()).await.unwrap();
        tables.replace_any(&stored.into_inner()).await.unwrap();
        // Equal bytes are the same value.
        tables.upsert(&Person { age: 33, ..person(1) }).await.unwrap();
        assert_eq!(world.blobs("People"), blobs);
        let stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        assert_eq!((stored.age, stored.photo.read(tables).await.unwrap().len()), (33, 100_000));
    });
}

#[test]
fn a_patch_of_what_was_read_sets_a_value() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let before = world.blobs("People");
        let stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.merge(stored.patch().photo(Blob::new("x")).photo(long(2)).cv(long(3))).await.unwrap();
        let now = world.blobs("People");
        assert_eq!(now.len(), 2);
        assert!(!now.contains(&before[0]));
        let stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        assert_eq!((stored.photo.clone(), stored.cv.clone()), (long(2), Some(long(3))));

        tables.merge(stored.patch().photo(Blob::new("x"))).await.unwrap();
        assert_eq!(world.blobs("People").len(), 1);
        assert!(world.left("People").is_empty());
    });
}

#[test]
fn deleting_an_entity_deletes_its_blobs() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        for id in 1..=3 {
            tables.insert(&Person { cv: Some(long(2)), ..person(id) }).await.unwrap();
        }
        let stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.delete(&stored).await.unwrap();
        assert_eq!(world.blobs("People").len(), 4);
        tables.delete_at(Person::point("a", 2)).await.unwrap();
        assert!(tables.delete_if_exists(Person::point("a", 3)).await.unwrap());
        assert!(world.blobs("People").is_empty());
        assert!(world.left("People").is_empty());
    });
}

#[test]
fn a_write_that_is_refused_leaves_no_blob() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let blobs = world.blobs("People");
        assert!(tables.insert(&person(1)).await.unwrap_err().is_conflict());
        let mut late = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.merge(Person::patch("a", 1)).await.unwrap();
        late.photo = long(9);
        assert!(tables.replace(&late).await.unwrap_err().is_conflict());
        assert!(tables.merge(late.patch().photo(long(9))).await.unwrap_err().is_conflict());
        assert!(tables.replace_any(&person(7)).await.unwrap_err().is_not_found());
        assert_eq!(world.blobs("People"), blobs);
    });
}

#[test]
fn an_entity_that_moves_takes_its_blob_along() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let before = world.blobs("People");
        let mut stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        stored.id = 2;
        tables.rekey(&stored).await.unwrap();
        let moved = Person::point("a", 2).get(tables).await.unwrap().unwrap();
        assert_eq!(moved.photo, long(1));
        assert_eq!(moved.photo.read(tables).await.unwrap(), long(1).read(tables).await.unwrap());
        let now = world.blobs("People");
        assert!(now.len() == 1 && now != before);
    });
}

#[test]
fn a_value_of_another_entity_is_copied() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let one = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.insert(&Person { id: 2, ..one.clone().into_inner() }).await.unwrap();
        tables.insert(&note(one.photo.clone())).await.unwrap();
        tables.delete(&one).await.unwrap();
        let two = Person::point("a", 2).get(tables).await.unwrap().unwrap();
        let note = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        assert_eq!(two.photo.read(tables).await.unwrap().len(), 100_000);
        assert_eq!(note.text.read(tables).await.unwrap().len(), 100_000);
        assert_eq!((world.blobs("People").len(), world.blobs("Notes").len()), (1, 1));
    });
}

#[test]
fn rows_elsewhere_follow_beside_blobs() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let mut stored = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        (stored.desk, stored.photo) = ("6a".into(), long(2));
        tables.replace(&stored).await.unwrap();
        assert!(Person::by_desk_rows("4b").all(tables).await.unwrap().is_empty());
        assert_eq!(Person::by_desk_rows("6a").all(tables).await.unwrap().len(), 1);
        assert_eq!(world.blobs("People").len(), 1);
    });
}

#[test]
fn a_unique_value_elsewhere_and_a_blob_go_together() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        let holder = |id, badge| Holder { team: "a".into(), id, badge, photo: long(1) };
        tables.insert(&holder(1, 7)).await.unwrap();
        let taken = tables.insert(&holder(2, 7)).await.unwrap_err();
        assert!(matches!(taken, Error::Unique(_)), "{taken}");
        assert_eq!(world.blobs("Holders").len(), 1);
        let mut stored = Holder::point("a", 1).get(tables).await.unwrap().unwrap();
        (stored.badge, stored.photo) = (8, long(2));
        tables.replace(&stored).await.unwrap();
        tables.insert(&holder(2, 7)).await.unwrap();
        assert_eq!(world.blobs("Holders").len(), 2);
        for id in 1..=2 {
            tables.delete_at(Holder::point("a", id)).await.unwrap();
        }
        assert!(world.blobs("Holders").is_empty());
        tables.insert(&holder(3, 8)).await.unwrap();
    });
}
