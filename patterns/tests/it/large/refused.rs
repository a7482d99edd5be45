use table_patterns::{Value, prelude::*};

use super::people::{Note, World, long, note};

#[test]
fn a_handle_without_blobs_writes_what_is_short_and_refuses_the_rest_before_anything_is_sent() {
    pollster::block_on(async {
        let world = World::new();
        let tables = Tables::new(world.store.clone());
        assert!(matches!(tables.insert(&note(long(1))).await, Err(Error::BlobsNotConfigured)));
        assert!(Note::point("jo", 1).get(&tables).await.unwrap().is_none());
        let without_queues = Tables::new(world.store.clone()).with_blobs(world.store.clone());
        assert!(matches!(
            without_queues.insert(&note(long(1))).await,
            Err(Error::QueuesNotConfigured { .. })
        ));
        assert!(world.blobs("Notes").is_empty());
        tables.insert(&note(Blob::new("short"))).await.unwrap();

        world.tables.upsert(&note(long(1))).await.unwrap();
        let stored = Note::point("jo", 1).get(&tables).await.unwrap().unwrap();
        assert!(matches!(stored.text.read(&tables).await, Err(Error::BlobsNotConfigured)));
        assert!(matches!(tables.delete(&stored).await, Err(Error::BlobsNotConfigured)));
        assert!(matches!(tables.upsert(&note(Blob::new("short"))).await, Err(Error::BlobsNotConfigured)));
        assert!(Note::point("jo", 1).get(&tables).await.unwrap().is_some());
    });
}

#[test]
fn a_name_that_somebody_wrote_into_the_row_does_not_make_us_delete_another_blob() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&note(long(1))).await.unwrap();
        let mut other = note(long(2));
        other.id = 2;
        tables.insert(&other).await.unwrap();
        // The second entity now references the blob of the first entity.
        let name = world.stored("Notes", "jo", "001", "text").unwrap();
        let row = table_model::Entity {
            partition_key: "jo".into(),
            row_key: "002".into(),
            properties: [("text", name.clone())].into_iter().collect(),
        };
        let merge = table_model::Operation::Merge(row, table_model::Condition::Exists);
        world.store.clone().blocking().execute(&"Notes".parse().unwrap(), &merge).unwrap();
        tables.delete_at(Note::point("jo", 2)).await.unwrap();
        let first = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        assert_eq!(first.text.read(tables).await.unwrap().len(), 100_000);
        assert!(matches!(name, Value::String(_)));
    });
}

#[test]
fn a_property_that_is_no_blob_says_so() {
    pollster::block_on(async {
        let world = World::new();
        world.tables.insert(&note(Blob::new("short"))).await.unwrap();
        for (value, words) in
            [(Value::from("a text"), "name, length and hash"), (Value::from(7), "Edm.Int32")]
        {
            let row = table_model::Entity {
                partition_key: "jo".into(),
                row_key: "001".into(),
                properties: [("text", value)].into_iter().collect(),
            };
            let merge = table_model::Operation::Merge(row, table_model::Condition::Exists);
            world.store.clone().blocking().execute(&"Notes".parse().unwrap(), &merge).unwrap();
            let error = Note::point("jo", 1).get(&world.tables).await.unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    });
}
