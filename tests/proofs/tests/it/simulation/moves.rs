//! Moves to another table of entities with values in blobs. After a crash at any step, and with concurrent clients and
//! workers, each row references existing blobs. Once no commit record is pending, no other blob exists.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{collections::BTreeSet, time::Duration};

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{
    Calendar, Faults, Schedule, Stepped, Unreliable, UnreliableQueues, World, runs, settling,
};
use table_store::{
    Clock, MapStorage, OpenOptions, Query as StoreQuery, TableName, TableService, ValueRef,
    blob::{BlobService, ContainerName, ListBlobs},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{user}", row = "n", archive = "OldNotes")]
struct Note {
    user: String,
    #[table(blob, inline = 4)]
    text: Blob,
    #[table(blob, inline = 4)]
    draft: Option<Blob>,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 35, crash: 20, most: 4 };
const TABLES: [&str; 2] = ["Notes", "OldNotes"];

fn note(text: &str, draft: Option<&str>) -> Note {
    Note {
        user: "u".into(),
        text: Blob::new(text.to_owned()),
        draft: draft.map(|draft| Blob::new(draft.to_owned())),
    }
}

struct Run {
    world: World,
    calendar: Calendar,
    service: Unreliable,
    queues: UnreliableQueues,
    seed: u64,
}

impl Run {
    fn new(seed: u64, faults: Faults) -> Self {
        let (world, calendar) = (World::new(seed, faults), Calendar::new());
        world.keep_time(calendar.clone(), Duration::from_secs(60));
        let service =
            Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
        let service = if seed.is_multiple_of(3) { service.without_marks() } else { service };
        Self { queues: UnreliableQueues::new(world.clone()), world, calendar, service, seed }
    }

    /// Returns the handle of one process.
    fn tables(&self, number: u64) -> Tables {
        let calendar = self.calendar.clone();
        let tables = Tables::new(self.service.clone())
            .with_queues(self.queues.clone())
            .with_blobs(self.service.clone())
            .with_seeded_tokens(self.seed << 3 | number)
            .with_clock(move || Clock::now(&calendar));
        tables.register_entity::<Note>();
        tables
    }

    /// Returns the blobs that the rows of a table reference, and the number of its commit records.
    fn rows(&self, table: &str) -> (BTreeSet<String>, usize) {
        let (mut named, mut records) = (BTreeSet::new(), 0);
        let table = TableName::new(table).unwrap();
        let Ok(segment) = block_on(self.service.store().query(&table, StoreQuery::default())) else {
            return (named, records);
        };
        for row in &segment.rows {
            records += usize::from(row.properties.get("_k") == Some(ValueRef::String("c")));
            for property in ["text", "draft"] {
                if let Some(ValueRef::String(text)) = row.properties.get(property) {
                    named.insert(text.split('"').nth(3).unwrap().to_owned());
                }
            }
        }
        (named, records)
    }

    fn blobs(&self, table: &str) -> BTreeSet<String> {
        let container = ContainerName::new(table.to_lowercase()).unwrap();
        match block_on(self.service.store().list_blobs(&container, ListBlobs::new())) {
            Ok(segment) => segment.items.iter().map(|item| item.name().to_owned()).collect(),
            Err(_) => BTreeSet::new(),
        }
    }

    /// Fails if a row references a missing blob, or a blob of another table.
    fn nothing_dangles(&self) -> Result<(), String> {
        for table in TABLES {
            if let Some(name) = self.rows(table).0.difference(&self.blobs(table)).next() {
                return Err(format!("{table} names {name}, which does not exist"));
            }
        }
        Ok(())
    }

    /// Applies all pending commit records. Fails if an unreferenced blob or a commit record remains.
    fn catch_up(&self) -> Result<(), String> {
        self.calendar.pass(Duration::from_secs(600));
        let tables = self.tables(5);
        for _ in 0..100 {
            block_on(tables.catch_up()).map_err(|error| error.to_string())?;
            if self.queues.messages() == 0 {
                break;
            }
        }
        for table in TABLES {
            let (named, records) = self.rows(table);
            if (&named, records) != (&self.blobs(table), 0) {
                return Err(format!(
                    "{table}: {records} records, blobs {:?}, named {named:?}",
                    self.blobs(table)
                ));
            }
        }
        Ok(())
    }
}

/// Polls a future at most `polls` times, then drops it. Returns whether it completed.
fn cut(work: impl Future, polls: usize) -> bool {
    !Stepped::new(work).advance(polls)
}

/// Drops a move after `polls` polls, then repeats it. Returns whether the first run completed.
fn cut_move(seed: u64, polls: usize) -> bool {
    let run = Run::new(seed, Faults::default());
    let (writer, key) = (run.tables(0), NoteKey { user: "u".into() });
    // The archive contains an earlier version of the entity, with one equal and one different value.
    block_on(writer.insert(&note("the first text", Some("the draft")))).unwrap();
    assert!(block_on(writer.move_entity(&key, "OldNotes")).unwrap());
    block_on(writer.insert(&note("the second text", Some("the draft")))).unwrap();
    run.catch_up().unwrap();

    run.world.slow_answers();
    let mover = run.tables(1);
    let is_whole = cut(mover.move_entity(&key, "OldNotes"), polls);
    let check = || run.nothing_dangles().unwrap_or_else(|wrong| panic!("{seed}, {polls} polls: {wrong}"));
    check();
    if seed.is_multiple_of(2) {
        run.catch_up().unwrap_or_else(|wrong| panic!("{seed}, {polls} polls: {wrong}"));
        check();
    }
    let again = run.tables(2);
    let here = block_on(Note::point("u").get(&again)).unwrap().is_some();
    assert_eq!(block_on(again.move_entity(&key, "OldNotes")).unwrap(), here);
    check();
    run.catch_up().unwrap_or_else(|wrong| panic!("{seed}, {polls} polls: {wrong}"));
    check();
    assert!(run.rows("Notes").0.is_empty());
    let archived = block_on(again.archived(&key)).unwrap().unwrap();
    assert_eq!(block_on(archived.text.read(&again)).unwrap(), "the second text");
    assert_eq!(block_on(archived.draft.as_ref().unwrap().read(&again)).unwrap(), "the draft");
    is_whole
}

#[test]
fn move_that_crashes_at_any_step_keeps_blobs() {
    for seed in 0..4 {
        let steps = (0..500).find(|polls| cut_move(seed, *polls)).unwrap();
        assert!(steps > 10, "only {steps} steps");
    }
}

#[test]
fn overtaken_move_takes_back_its_blobs() {
    for seed in 0..2 {
        let run = Run::new(seed, Faults::default());
        let (writer, mover, key) = (run.tables(0), run.tables(1), NoteKey { user: "u".into() });
        block_on(writer.insert(&note("the first text", None))).unwrap();
        let mut work = Stepped::new(mover.move_entity(&key, "OldNotes"));
        assert!(work.advance_until(|| !run.rows("OldNotes").0.is_empty()) && work.is_pending());
        block_on(writer.delete_at(Note::point("u"))).unwrap();
        assert!(!work.finish().unwrap());
        run.catch_up().unwrap();
        assert!(TABLES.iter().all(|table| run.blobs(table).is_empty()));
        assert!(block_on(writer.archived(&key)).unwrap().is_none());
    }
}

#[test]
fn first_streamed_value_creates_its_container() {
    let run = Run::new(0, Faults::default());
    let tables = run.tables(0);
    let text = Blob::from_reader(|| Ok(std::io::Cursor::new(b"a longer text")));
    block_on(tables.insert(&Note { text, ..note("", None) })).unwrap();
    let stored = block_on(Note::point("u").get(&tables)).unwrap().unwrap();
    assert_eq!(block_on(stored.text.read(&tables)).unwrap(), "a longer text");
}

async fn client(tables: Tables, world: World) {
    let key = NoteKey { user: "u".into() };
    for _ in 0..6 {
        let draft = [None, Some("a longer draft")][world.below(2)];
        let note = note(["abc", "a longer text", "another longer text"][world.below(3)], draft);
        // Errors are ignored; the next step starts again.
        match world.below(5) {
            0 => drop(tables.insert(&note).await),
            1 => drop(tables.upsert(&note).await),
            2 => {
                if let Ok(Some(mut stored)) = Note::point("u").get(&tables).await {
                    *stored = note;
                    drop(tables.replace(&stored).await);
                }
            }
            _ => drop(tables.move_entity(&key, "OldNotes").await),
        }
    }
}

/// Runs one schedule. Returns the number of blobs in the archive at the end.
fn scheduled(seed: u64) -> Result<usize, String> {
    let run = Run::new(seed, FAULTS);
    let mut wrong = Ok(());
    let mut schedule = Schedule::new(&run.service, run.world.clone());
    schedule.client(client(run.tables(0), run.world.clone()));
    schedule.client(client(run.tables(1), run.world.clone()));
    schedule.worker(settling(run.tables(2)));
    schedule.worker(settling(run.tables(3)));
    schedule.run(|| {
        run.calendar.pass(Duration::from_secs(if run.world.below(20) == 0 { 50 } else { 1 }));
        if wrong.is_ok() {
            wrong = run.nothing_dangles();
        }
    });
    wrong?;
    Schedule::calm(&run.service, &run.world, seed.is_multiple_of(2));
    run.catch_up()?;
    run.nothing_dangles()?;
    Ok(run.blobs("OldNotes").len())
}

#[test]
fn concurrent_moves_keep_blobs() {
    let count = runs("SIMULATIONS", 100);
    let archived: usize =
        (0..count).map(|seed| scheduled(seed).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"))).sum();
    println!("{count} schedules, {archived} blobs in the archive");
    assert!(archived as u64 > count / 4, "hardly anything was moved");
}
