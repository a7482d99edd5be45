//! Entities with blobs that move to another table.

use std::time::Duration;

use table_patterns::prelude::*;

use super::people::{World, long};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "p_{id:03}", archive = "FormerStaff")]
#[table(index(by_desk, partition = "desk_{desk}", row = "{team}_{id:03}", copy()))]
struct Member {
    team: String,
    id: u32,
    desk: String,
    #[table(blob)]
    photo: Blob,
    #[table(blob, inline = 10)]
    cv: Option<Blob>,
}

/// Entity type of the archive.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "FormerStaff", partition = "{team}", row = "p_{id:03}", aliases("Member"))]
struct Former {
    team: String,
    id: u32,
    #[table(blob)]
    photo: Blob,
    #[table(blob, inline = 10)]
    cv: Option<Blob>,
}

fn member(photo: Blob, cv: Option<Blob>) -> Member {
    Member { team: "a".into(), id: 1, desk: "4b".into(), photo, cv }
}

async fn moved(tables: &Tables, member: &Member) {
    tables.insert(member).await.unwrap();
    assert!(tables.move_entity(&member.key(), "FormerStaff").await.unwrap());
    tables.catch_up().await.unwrap();
}

#[test]
fn reopened_entity_keeps_its_blobs() {
    let world = World::new();
    pollster::block_on(async {
        let tables = &world.tables;
        let jo = member(long(1), Some(Blob::new(vec![2; 300])));
        moved(tables, &jo).await;
        assert!(tables.reopen(&jo.key()).await.unwrap());
        tables.catch_up().await.unwrap();
        let reopened = Member::point("a", 1).get(tables).await.unwrap().unwrap();
        assert_eq!(reopened.photo.read(tables).await.unwrap(), vec![1; 100_000]);
        assert_eq!(reopened.cv.as_ref().unwrap().read(tables).await.unwrap(), vec![2; 300]);
        assert_eq!((world.blobs("Staff").len(), world.blobs("FormerStaff").len()), (2, 0));
        assert!(world.left("Staff").is_empty() && world.left("FormerStaff").is_empty());
    });
}

#[test]
fn moved_entity_keeps_its_blobs() {
    let world = World::new();
    pollster::block_on(async {
        let tables = &world.tables;
        let jo = member(long(1), Some(Blob::new(vec![2; 300])));
        let key = jo.key();
        tables.insert(&jo).await.unwrap();
        let stored = Member::point("a", 1).get(tables).await.unwrap().unwrap();
        tables.archive(&stored).await.unwrap();
        assert_eq!(tables.worker().on::<Archive<Member>>().pass().await.unwrap().done, 1);
        tables.catch_up().await.unwrap();

        let archived = tables.archived(&key).await.unwrap().unwrap();
        assert_eq!(archived.photo.read(tables).await.unwrap(), vec![1; 100_000]);
        assert_eq!(archived.cv.as_ref().unwrap().read(tables).await.unwrap(), vec![2; 300]);
        assert_eq!(world.blobs("Staff"), [""; 0]);
        assert_eq!(world.blobs("FormerStaff").len(), 2);
        assert!(world.left("Staff").is_empty() && world.left("FormerStaff").is_empty());
        for done in [
            tables.collect_archived_blobs::<Member>().older_than(Duration::ZERO).run().await.unwrap(),
            tables.collect_blobs::<Former>().older_than(Duration::ZERO).run().await.unwrap(),
        ] {
            assert_eq!((done.listed, done.deleted, done.foreign), (2, 0, 0));
        }
        // The entity type of the archive deletes them.
        tables.delete_at(Former::point("a", 1)).await.unwrap();
        assert_eq!(world.blobs("FormerStaff"), [""; 0]);
    });
}

#[test]
fn repeated_move_keeps_equal_and_releases_other_blobs() {
    let world = World::new();
    pollster::block_on(async {
        let tables = &world.tables;
        moved(tables, &member(long(1), Some(long(2)))).await;
        let first = world.blobs("FormerStaff");
        moved(tables, &member(long(1), Some(long(3)))).await;
        let second = world.blobs("FormerStaff");
        let kept = second.iter().filter(|name| first.contains(name)).count();
        assert_eq!((second.len(), kept), (2, 1));
        // A value stored inline, and a missing value.
        moved(tables, &member(Blob::new("short"), None)).await;
        assert_eq!(world.blobs("FormerStaff"), [""; 0]);
        assert!(world.left("FormerStaff").is_empty());
        let archived = tables.archived(&member(long(1), None).key()).await.unwrap().unwrap();
        assert_eq!(archived.photo.read(tables).await.unwrap(), "short");
    });
}

#[test]
fn move_without_blob_service_changes_nothing() {
    let world = World::new();
    pollster::block_on(async {
        let jo = member(long(1), None);
        world.tables.insert(&jo).await.unwrap();
        let without = Tables::new(world.store.clone());
        assert!(matches!(
            without.move_entity(&jo.key(), "FormerStaff").await,
            Err(Error::BlobsNotConfigured)
        ));
        let stored = Member::point("a", 1).get(&world.tables).await.unwrap().unwrap();
        assert_eq!(stored.photo.read(&world.tables).await.unwrap().len(), 100_000);
    });
}
