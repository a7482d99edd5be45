//! Times of the creation and of the last write, which the library sets: in all rows, by all verbs, under faults.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

mod loaded;
mod moves;

use std::time::{Duration, SystemTime};

use pollster::block_on;
use table_patterns::{
    prelude::*,
    testing::{Faults, TestClock, TestTables},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{owner}", row = "n_{id:06}", changes)]
#[table(index(by_topic, row = "t_{topic}_{id:06}"))]
#[table(index(by_slug, table = "Slugs", partition = "{slug}", row = "slug", unique, copy(updated)))]
struct Note {
    owner: String,
    id: u32,
    topic: String,
    slug: String,
    text: String,
    #[table(created, rename = "Created")]
    created: Timestamp,
    #[table(updated)]
    updated: Option<SystemTime>,
}

/// A value that no write may store.
fn never() -> Timestamp {
    "1999-01-01T00:00:00Z".parse().unwrap()
}

fn note(id: u32) -> Note {
    let (topic, slug, text) = ("a".to_owned(), format!("s{id}"), "draft".to_owned());
    Note { owner: "jo".into(), id, topic, slug, text, created: never(), updated: None }
}

fn clock() -> TestClock {
    TestClock::new("2030-01-01T00:00:00Z".parse().unwrap())
}

const MINUTE: Duration = Duration::from_secs(60);

/// Returns both times, after a check that all rows contain them.
async fn times(tables: &Tables, id: u32) -> (String, String) {
    let note = Note::point("jo", id).get(tables).await.unwrap().unwrap().into_inner();
    let by_topic = Note::by_topic_rows("jo").all(tables).await.unwrap();
    assert_eq!(by_topic.into_iter().map(Stored::into_inner).find(|other| other.id == id), Some(note.clone()));
    let by_slug = Note::by_slug(&note.slug).get(tables).await.unwrap().unwrap();
    assert_eq!(by_slug.updated, note.updated);
    let feed = tables.changes::<Note>().next_batch().await.unwrap();
    let recorded = feed.changes.iter().rev().find_map(|change| change.new().filter(|other| other.id == id));
    assert_eq!(recorded, Some(&note));
    assert!(tables.verify::<Note>().run().await.unwrap().is_clean());
    let updated: Timestamp = note.updated.unwrap().into();
    let time = |time: Timestamp| time.to_string()[14..19].to_owned();
    (time(note.created), time(updated))
}

fn are((created, updated): (String, String), expected: [&str; 2]) {
    assert_eq!([created.as_str(), updated.as_str()], expected);
}

#[test]
fn each_verb_sets_the_times() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        tables.insert(&note(1)).await?;
        are(times(&tables, 1).await, ["00:00", "00:00"]);

        clock.advance(MINUTE);
        let updated = tables.update(Note::point("jo", 1), |note| note.created = never()).await?;
        are(times(&tables, 1).await, ["00:00", "01:00"]);
        let read = Note::point("jo", 1).get(&tables).await?.unwrap();
        assert_eq!(updated.updated, read.updated, "the result contains the times as stored");

        clock.advance(MINUTE);
        tables.merge(read.patch().text("final".into())).await?;
        are(times(&tables, 1).await, ["00:00", "02:00"]);

        clock.advance(MINUTE);
        tables.upsert(&note(1)).await?;
        are(times(&tables, 1).await, ["00:00", "03:00"]);
        tables.upsert(&note(2)).await?;
        are(times(&tables, 2).await, ["03:00", "03:00"]);

        clock.advance(MINUTE);
        tables.replace_any(&note(1)).await?;
        are(times(&tables, 1).await, ["00:00", "04:00"]);

        clock.advance(MINUTE);
        let mut stored = Note::point("jo", 1).get(&tables).await?.unwrap();
        stored.topic = "b".into();
        tables.transact().replace(&stored).insert(&note(3)).commit().await?;
        are(times(&tables, 1).await, ["00:00", "05:00"]);
        are(times(&tables, 3).await, ["05:00", "05:00"]);

        clock.advance(MINUTE);
        tables.bulk().insert_all(&[note(4), note(5)]).run().await?.into_result()?;
        are(times(&tables, 4).await, ["06:00", "06:00"]);

        clock.advance(MINUTE);
        let mut stored = Note::point("jo", 5).get(&tables).await?.unwrap();
        (stored.id, stored.slug) = (6, "s6".into());
        tables.rekey(&stored).await?;
        are(times(&tables, 6).await, ["06:00", "07:00"]);
        Ok(())
    })
}

#[test]
fn the_times_are_those_of_the_attempt_that_took_effect() -> Result<()> {
    block_on(async {
        for nth in 1..=8 {
            for is_lost in [false, true] {
                let (clock, faults) = (clock(), Faults::new());
                let tables = TestTables::new().clock(&clock).faults(&faults).open()?;
                tables.insert(&note(1)).await?;
                clock.advance(MINUTE);
                if is_lost {
                    faults.lose_nth(nth);
                } else {
                    faults.fail_nth(nth, ErrorCode::ServerBusy);
                }
                let change = |note: &mut Note| note.text = "final".into();
                if tables.update(Note::point("jo", 1), change).await.is_err() {
                    clock.advance(MINUTE);
                    tables.update(Note::point("jo", 1), change).await?;
                }
                // Requests until the fault, if the update has sent fewer.
                for _ in 0..nth {
                    Note::point("jo", 1).get(&tables).await.ok();
                }
                tables.catch_up().await?;
                let (created, updated) = times(&tables, 1).await;
                assert_eq!(created, "00:00");
                assert!(["01:00", "02:00"].contains(&updated.as_str()), "{nth} {is_lost} {updated}");
            }
        }
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tags", partition = "{owner}", row = "t_{id:06}")]
struct Tag {
    owner: String,
    id: u32,
    label: String,
    #[table(created)]
    created: Option<Timestamp>,
    #[table(updated)]
    updated: Option<Timestamp>,
}

/// The form of [`Tag`] before it had times.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tags", partition = "{owner}", row = "t_{id:06}", entity_type = "Tag")]
struct OlderTag {
    owner: String,
    id: u32,
    label: String,
}

#[test]
fn no_write_stores_a_time_of_creation_of_the_program() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        let created = Some(clock.now());
        tables
            .insert(&Tag { owner: "jo".into(), id: 1, label: "a".into(), created: None, updated: None })
            .await?;
        for wrong in [None, Some(never())] {
            clock.advance(MINUTE);
            let mut tag = tables.update(Tag::point("jo", 1), |tag| tag.created = wrong).await?;
            assert_eq!((tag.created, tag.updated), (created, Some(clock.now())));
            tag.created = wrong;
            let written = tables.replace(&tag).await?;
            let tag = tag.written(&written);
            assert_eq!(tag.created, created);
            tables.replace(&tag).await?;
            assert_eq!(Tag::point("jo", 1).get(&tables).await?.unwrap().created, created);
        }
        Ok(())
    })
}

#[test]
fn patches_by_key_and_rows_without_times() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        let start = Some(clock.now());
        tables.insert(&OlderTag { owner: "jo".into(), id: 1, label: "x".into() }).await?;
        let read = |id| Tag::point("jo", id);
        assert_eq!(read(1).get(&tables).await?.unwrap().updated, None);

        tables.merge(Tag::patch("jo", 1).label("y".into())).await?;
        let tag = read(1).get(&tables).await?.unwrap();
        assert_eq!((tag.created, tag.updated), (None, start));

        // The time of the creation is unknown, and no write invents it.
        clock.advance(MINUTE);
        let replaced = Tag { created: start, ..tag.into_inner() };
        tables.upsert(&replaced).await?;
        assert_eq!(read(1).get(&tables).await?.unwrap().created, None);

        tables.upsert_merge(Tag::patch("jo", 2).label("new".into())).await?;
        let tag = read(2).get(&tables).await?.unwrap();
        assert_eq!((tag.created, tag.updated), (Some(clock.now()), Some(clock.now())));
        clock.advance(MINUTE);
        tables.upsert_merge(Tag::patch("jo", 2).label("newer".into())).await?;
        let later = read(2).get(&tables).await?.unwrap();
        assert_eq!((later.created, later.updated), (tag.created, Some(clock.now())));

        // Without a read, the creation of an existing entity is unknown.
        let error = tables.overwrite(&later.into_inner()).await.unwrap_err();
        assert!(matches!(error, Error::OverwriteUnsupported { .. }), "{error}");
        assert!(error.to_string().contains(" has a time of creation, which an overwrite"), "{error}");
        Ok(())
    })
}
