//! Times in entities of a design that was loaded: the library sets them as it does for the type.

use table_patterns::{FieldValues, Value};

use super::*;

#[test]
fn a_write_by_the_design_sets_the_times_of_the_type() {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open().unwrap();
        let schema = table_codegen::from_designs("notes", &[Tag::DESIGN]).schema;
        let tags = tables.design(&schema, "Tag").unwrap().entities().unwrap();
        let wrong = Value::DateTime(never());
        let tag = [("owner", "jo".into()), ("id", 1_i64.into()), ("label", "a".into()), ("created", wrong)];
        let tag: FieldValues = tag.map(|(field, value)| (field.to_owned(), value)).into();
        tags.insert(&tag).await.unwrap();
        let created = Some(clock.now());
        let read = Tag::point("jo", 1).get(&tables).await.unwrap().unwrap();
        assert_eq!((read.created, read.updated), (created, created));

        clock.advance(MINUTE);
        let stored = tags.get(&tag).await.unwrap().unwrap();
        let changes = [("label".to_owned(), "b".into())].into();
        tags.update(&stored, &changes).await.unwrap();
        let read = Tag::point("jo", 1).get(&tables).await.unwrap().unwrap();
        assert_eq!((read.label.as_str(), read.created, read.updated), ("b", created, Some(clock.now())));

        clock.advance(MINUTE);
        let stored = tags.get(&tag).await.unwrap().unwrap();
        tags.replace(&stored, &tag).await.unwrap();
        let read = Tag::point("jo", 1).get(&tables).await.unwrap().unwrap();
        assert_eq!((read.label.as_str(), read.created, read.updated), ("a", created, Some(clock.now())));
    });
}
