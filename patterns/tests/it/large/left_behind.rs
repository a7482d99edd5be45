use std::time::Duration;

use table_model::{
    Metadata, Operation,
    blob::{BlobAddress, BlobConditions, PutBlob},
};
use table_patterns::{DifferenceKind, RepairStatus};

use super::people::{Note, World, long, note};

#[test]
fn a_verification_tells_of_names_without_a_blob_and_leaves_them() {
    let world = World::new();
    let b = world.tables.blocking();
    b.insert(&note(long(1))).unwrap();
    assert!(pollster::block_on(world.tables.verify::<Note>().run()).unwrap().is_clean());
    let name = b.get(&Note::point("jo", 1)).unwrap().unwrap().text.name().unwrap().to_owned();
    let blob = BlobAddress::new("notes", &name).unwrap();
    world.store.clone().blocking().delete_blob(&blob, &BlobConditions::none()).unwrap();

    let report = pollster::block_on(world.tables.verify::<Note>().repair().run()).unwrap();
    assert_eq!((report.count(), report.count_of(DifferenceKind::Lost), report.repaired), (1, 1, 0));
    let [difference] = &report.differences[..] else { panic!("{report}") };
    assert_eq!((difference.index, difference.address.row_key()), (None, name.as_str()));
    assert!(matches!(difference.repair, RepairStatus::Left), "{difference}");
}

#[test]
fn what_nobody_names_is_collected_by_age_and_the_rest_is_left() {
    let world = World::new();
    pollster::block_on(async {
        let tables = &world.tables;
        tables.insert(&note(long(1))).await.unwrap();
        // Delete an entity directly, and put a blob without an owner.
        let other = Note { id: 2, ..note(long(2)) };
        tables.insert(&other).await.unwrap();
        let delete = Operation::Delete {
            partition_key: "jo".into(),
            row_key: "002".into(),
            condition: table_model::Condition::Exists,
        };
        let store = world.store.clone().blocking();
        store.execute(&"Notes".parse().unwrap(), &delete).unwrap();
        let foreign = BlobAddress::new("notes", "notes/readme").unwrap();
        store.put_blob(&foreign, "hello".into(), PutBlob::new()).unwrap();
        let elsewhere = BlobAddress::new("notes", "readme").unwrap();
        store.put_blob(&elsewhere, "hello".into(), PutBlob::new()).unwrap();

        let young = tables.collect_blobs::<Note>().run().await.unwrap();
        assert_eq!((young.listed, young.deleted), (3, 0));
        let done = tables.collect_blobs::<Note>().older_than(Duration::ZERO).run().await.unwrap();
        assert_eq!((done.listed, done.deleted, done.foreign), (3, 1, 1));
        assert_eq!(world.blobs("Notes").len(), 3);
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        assert_eq!(stored.text.read(tables).await.unwrap().len(), 100_000);
    });
}

#[test]
fn a_blob_that_says_the_key_or_the_token_of_another_is_not_acted_on() {
    let world = World::new();
    pollster::block_on(async {
        let tables = &world.tables;
        tables.insert(&note(long(1))).await.unwrap();
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        let (store, name) = (world.store.clone().blocking(), stored.text.name().unwrap());
        let own = store.blob_properties(&BlobAddress::new("notes", name).unwrap(), &BlobConditions::none());
        let metadata: Metadata = own.unwrap().metadata;
        for false_name in ["notes/1/2/text/t".to_owned(), format!("{}x", &name[..name.len() - 1])] {
            let blob = BlobAddress::new("notes", &false_name).unwrap();
            store.put_blob(&blob, "x".into(), PutBlob::new().metadata(metadata.clone())).unwrap();
        }
        let done = tables.collect_blobs::<Note>().older_than(Duration::ZERO).run().await.unwrap();
        assert_eq!((done.listed, done.deleted, done.foreign), (3, 0, 2));
    });
}

#[test]
fn a_table_that_was_never_written_has_nothing_to_collect() {
    let world = World::new();
    let done = pollster::block_on(world.tables.collect_blobs::<Note>().run()).unwrap();
    assert_eq!((done.listed, done.deleted), (0, 0));
}
