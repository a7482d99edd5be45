//! Rows of a type version with a blob field, written by a version that removed or renamed the field.

use std::time::Duration;

use table_model::{Condition, Operation};
use table_patterns::prelude::*;

use super::people::{World, long};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pics", partition = "{album}", row = "{n:03}", entity_type = "Pic1")]
struct Pic1 {
    album: String,
    n: u32,
    #[table(blob)]
    photo: Blob,
    #[table(blob)]
    thumb: Option<Blob>,
}

/// The photo has another name, and there is no thumbnail.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pics", partition = "{album}", row = "{n:03}", entity_type = "Pic", version = 2, from(Pic1))]
struct Pic2 {
    album: String,
    n: u32,
    #[table(blob)]
    picture: Blob,
}

impl From<Pic1> for Pic2 {
    fn from(old: Pic1) -> Self {
        Self { album: old.album, n: old.n, picture: old.photo }
    }
}

/// A version without blobs.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pics", partition = "{album}", row = "{n:03}", entity_type = "Pic", version = 3, from(Pic2))]
struct Pic {
    album: String,
    n: u32,
    #[table(default)]
    note: i64,
}

impl From<Pic2> for Pic {
    fn from(old: Pic2) -> Self {
        Self { album: old.album, n: old.n, note: 0 }
    }
}

fn pic(n: u32) -> Pic {
    Pic { album: "a".into(), n, note: 1 }
}

/// Creates a row of the first version with two blobs.
async fn old() -> World {
    let world = World::new();
    let old = Pic1 { album: "a".into(), n: 1, photo: long(1), thumb: Some(long(2)) };
    world.tables.insert(&old).await.unwrap();
    assert_eq!(world.blobs("Pics").len(), 2);
    world
}

async fn read(world: &World) -> Stored<Pic> {
    Pic::point("a", 1).get(&world.tables).await.unwrap().unwrap()
}

#[test]
fn a_replace_releases_blobs_of_dropped_fields() {
    pollster::block_on(async {
        let world = old().await;
        let mut stored = read(&world).await;
        stored.note = 2;
        let written = world.tables.replace(&stored).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
        // Nothing is released twice.
        world.tables.replace(&stored.written(&written)).await.unwrap();

        let world = old().await;
        world.tables.replace_any(&pic(1)).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn an_upsert_releases_blobs_of_dropped_fields() {
    pollster::block_on(async {
        let world = old().await;
        world.tables.upsert(&pic(1)).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn a_delete_releases_blobs_of_dropped_fields() {
    pollster::block_on(async {
        let world = old().await;
        world.tables.delete_at(Pic::point("a", 1)).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());

        let world = old().await;
        world.tables.delete(&read(&world).await).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn a_patch_of_an_older_row_releases_dropped_blobs() {
    pollster::block_on(async {
        let world = old().await;
        let stored = read(&world).await;
        world.tables.merge(stored.patch().note(7)).await.unwrap();
        // The patch wrote the newest version, which has no such fields.
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());

        let world = old().await;
        world.tables.merge(Pic::patch("a", 1).note(8)).await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn an_upgrade_releases_blobs_of_dropped_fields() {
    pollster::block_on(async {
        let world = old().await;
        let report = world.tables.upgrade::<Pic>().run().await.unwrap();
        assert_eq!((report.written, report.failed.len()), (1, 0));
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn a_renamed_blob_field_keeps_its_blob() {
    pollster::block_on(async {
        let world = old().await;
        assert_eq!(world.tables.upgrade::<Pic2>().run().await.unwrap().written, 1);
        let stored = Pic2::point("a", 1).get(&world.tables).await.unwrap().unwrap();
        assert_eq!(world.blobs("Pics"), [stored.picture.name().unwrap()]);
        assert_eq!(stored.picture.read(&world.tables).await.unwrap(), vec![1; 100_000]);
        // Replaced by the version without blobs.
        world.tables.replace(&read(&world).await).await.unwrap();
        assert!(world.blobs("Pics").is_empty());
    });
}

#[test]
fn a_worker_releases_blobs_of_dropped_fields() {
    pollster::block_on(async {
        let world = old().await;
        world.tables.with_deferred_updates().upsert(&pic(1)).await.unwrap();
        assert_eq!(world.blobs("Pics").len(), 2);
        let tables = Tables::new(world.store.clone());
        let tables = tables.with_queues(world.store.clone()).with_blobs(world.store.clone());
        tables.register_entity::<Pic>();
        tables.catch_up().await.unwrap();
        assert!(world.blobs("Pics").is_empty() && world.left("Pics").is_empty());
    });
}

#[test]
fn dropped_blobs_that_no_row_names_are_collected() {
    pollster::block_on(async {
        let world = old().await;
        let collect = || world.tables.collect_blobs::<Pic>().older_than(Duration::ZERO).run();
        assert_eq!(collect().await.unwrap().deleted, 0, "the row names them");
        // Delete by a client that does not use the library.
        let delete = Operation::Delete {
            partition_key: "a".into(),
            row_key: "001".into(),
            condition: Condition::Exists,
        };
        world.store.clone().blocking().execute(&"Pics".parse().unwrap(), &delete).unwrap();
        assert_eq!(collect().await.unwrap().deleted, 2);
        assert!(world.blobs("Pics").is_empty());
    });
}
