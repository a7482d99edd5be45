//! Values in blobs, with concurrent clients and workers that lose responses and crash. In every state, the blobs that
//! an entity references exist. At the end, no other blob exists.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{cell::RefCell, collections::BTreeSet, rc::Rc, time::Duration};

use pollster::block_on;
use table_patterns::{BlobError, prelude::*};
use table_proofs::simulation::{
    Calendar, Faults, Schedule, Stepped, Unreliable, UnreliableQueues, World, collecting, runs, settling,
    verifying_and_repairing,
};
use table_store::{
    Clock, MapStorage, OpenOptions, Query as StoreQuery, TableName, TableService, ValueRef,
    blob::{BlobService, ContainerName, ListBlobs},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{user}", row = "n_{id:02}")]
struct Note {
    user: String,
    id: u8,
    count: i32,
    #[table(blob, inline = 4)]
    text: Blob,
    #[table(blob, inline = 4)]
    draft: Option<Blob>,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 35, crash: 20, most: 4 };

/// The first violation that a participant found.
type Wrong = Rc<RefCell<Option<String>>>;

fn value(world: &World) -> Blob {
    Blob::new(["abc", "a longer text", "another longer text"][world.below(3)])
}

/// Runs one client.
async fn client(tables: Tables, world: World, wrong: Wrong, steps: usize) {
    for _ in 0..steps {
        let id = u8::try_from(world.below(4) / 3).unwrap();
        let count = i32::try_from(world.below(3)).unwrap();
        let draft = [None, Some(value(&world))][world.below(2)].clone();
        let note = Note { user: "u".into(), id, count, text: value(&world), draft };
        let point = Note::point("u", id);
        // Errors are ignored; the next step starts again.
        match world.below(8) {
            0 | 1 => drop(tables.insert(&note).await),
            2 => drop(tables.upsert(&note).await),
            3 => drop(tables.delete_if_exists(point).await),
            other => {
                let Ok(Some(mut stored)) = point.get(&tables).await else { continue };
                match other {
                    4 => {
                        *stored = note;
                        drop(tables.replace(&stored).await);
                    }
                    // The blob fields keep their references, without a new value.
                    5 => {
                        stored.count = count;
                        drop(tables.replace(&stored).await);
                    }
                    6 => drop(tables.merge(stored.patch().text(note.text)).await),
                    _ => match stored.text.read(&tables).await {
                        Ok(bytes) if bytes.starts_with(b"a") => {}
                        Err(Error::Blob(BlobError::Gone { .. }) | Error::Contended { .. }) => {}
                        other => {
                            wrong.borrow_mut().get_or_insert(format!("read {other:?}"));
                        }
                    },
                }
            }
        }
    }
}

/// The content of the table.
#[derive(Debug, Default)]
struct Rows {
    /// The blobs that entities reference.
    named: BTreeSet<String>,
    /// The remaining commit records.
    records: Vec<String>,
    /// The number of abort records.
    markers: u64,
}

fn rows(service: &Unreliable) -> Rows {
    let mut found = Rows::default();
    let table = TableName::new("Notes").unwrap();
    let Ok(segment) = block_on(service.store().query(&table, StoreQuery::default())) else {
        return found;
    };
    for row in &segment.rows {
        let key = row.row_key.unwrap();
        if key.starts_with('!') {
            match row.properties.get("_k") {
                Some(ValueRef::String("c")) => found.records.push(key.to_owned()),
                _ => found.markers += 1,
            }
            continue;
        }
        for property in ["text", "draft"] {
            if let Some(ValueRef::String(text)) = row.properties.get(property) {
                found.named.insert(text.split('"').nth(3).unwrap().to_owned());
            }
        }
    }
    found
}

/// Returns the names of all blobs.
fn blobs(service: &Unreliable) -> BTreeSet<String> {
    let container = ContainerName::new("notes").unwrap();
    match block_on(service.store().list_blobs(&container, ListBlobs::new())) {
        Ok(segment) => segment.items.iter().map(|item| item.name().to_owned()).collect(),
        Err(_) => BTreeSet::new(),
    }
}

/// Fails if an entity references a missing blob. This invariant is valid in every state.
fn nothing_dangles(service: &Unreliable) -> Result<(), String> {
    let (named, there) = (rows(service).named, blobs(service));
    match named.difference(&there).next() {
        Some(name) => Err(format!("{name} is named and not there")),
        None => Ok(()),
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
    /// Creates a run. `in_time` specifies whether requests take effect within the time limit that the protocol assumes.
    fn new(seed: u64, in_time: bool) -> Self {
        let (world, calendar) = (World::new(seed, FAULTS), Calendar::new());
        world.keep_time(calendar.clone(), Duration::from_secs(if in_time { 60 } else { 1_000_000 }));
        let service =
            Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
        let service = if seed.is_multiple_of(3) { service.without_marks() } else { service };
        Self { queues: UnreliableQueues::new(world.clone()), world, calendar, service, seed }
    }

    /// Returns the handle of a separate process.
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

    /// Processes all wake-up messages.
    fn catch_up(&self) -> Result<(), String> {
        let tables = self.tables(4);
        for _ in 0..100 {
            block_on(tables.catch_up()).map_err(|error| error.to_string())?;
            if self.queues.messages() == 0 {
                return Ok(());
            }
        }
        Err(format!("{} messages stay for ever", self.queues.messages()))
    }
}

/// Runs one schedule, with or without maintenance jobs. Fails if one of its states is wrong. Returns the number of
/// uploads with an abort record.
fn run(seed: u64, in_time: bool, maintained: bool) -> Result<u64, String> {
    let run = Run::new(seed, in_time);
    let wrong = Wrong::default();
    let mut schedule = Schedule::new(&run.service, run.world.clone());
    schedule.client(client(run.tables(0), run.world.clone(), Rc::clone(&wrong), 6));
    let second = run.tables(1);
    let second = if seed.is_multiple_of(4) { second.with_deferred_updates() } else { second };
    schedule.client(client(second, run.world.clone(), Rc::clone(&wrong), 6));
    schedule.worker(settling(run.tables(2)));
    schedule.worker(settling(run.tables(3)));
    if maintained {
        schedule.worker(collecting::<Note>(run.tables(5)));
        schedule.worker(verifying_and_repairing::<Note>(run.tables(6)));
    }
    schedule.run(|| {
        // Each call takes time: usually a second. Sometimes it takes most of a minute, or an hour without the time
        // limit.
        let long = if in_time { 50 } else { 3_600 };
        run.calendar.pass(Duration::from_secs(if run.world.below(20) == 0 { long } else { 1 }));
        if let Err(dangling) = nothing_dangles(&run.service) {
            wrong.borrow_mut().get_or_insert(dangling);
        }
    });
    if let Some(wrong) = wrong.take() {
        return Err(wrong);
    }
    run.world.calm();
    if seed.is_multiple_of(2) || !in_time {
        Schedule::land_all(&run.service);
    } else {
        run.world.forget_late();
    }
    run.calendar.pass(Duration::from_secs(600));
    run.catch_up()?;
    nothing_dangles(&run.service)?;
    // The wake-up message of a commit that takes effect after the time limit may be gone. On a service that lists no
    // records, only a look at the partition finds the record.
    if !in_time && seed.is_multiple_of(3) {
        let looked = block_on(run.tables(7).catch_up_partition(&Note::rows("u")));
        looked.map_err(|error| error.to_string())?;
        nothing_dangles(&run.service)?;
    }
    let Rows { named, records, markers } = rows(&run.service);
    if !records.is_empty() {
        return Err(format!("left behind: {records:?}"));
    }
    // A request that takes effect after the time limit may leave an orphaned blob, which `collect_blobs` finds.
    match blobs(&run.service).difference(&named).next() {
        Some(name) if in_time => Err(format!("{name} is there and not named")),
        _ => Ok(markers),
    }
}

#[test]
fn what_is_named_is_there_in_every_state_and_nothing_else_when_all_is_quiet() {
    for in_time in [true, false] {
        let (mut markers, count) = (0, runs("SIMULATIONS", 300));
        for seed in 0..count {
            markers +=
                run(seed, in_time, false).unwrap_or_else(|wrong| panic!("seed {seed}, {in_time}: {wrong}"));
        }
        println!("{count} schedules, {markers} uploads given up behind a marker");
        assert!(markers > count / 10, "nothing was left behind");
    }
}

#[test]
fn named_blobs_exist_beside_maintenance() {
    for seed in 0..runs("SIMULATIONS", 60) {
        for in_time in [true, false] {
            run(seed, in_time, true).unwrap_or_else(|wrong| panic!("seed {seed}, {in_time}: {wrong}"));
        }
    }
}

fn long(text: &'static str) -> Note {
    Note { user: "u".into(), id: 1, count: 0, text: Blob::new(text), draft: None }
}

#[test]
fn replaced_uploads_leave_no_rows() {
    for seed in [0, 1] {
        let run = Run::new(seed, true);
        run.world.calm();
        let (writer, worker) = (run.tables(0).with_deferred_updates(), run.tables(1));
        for text in ["a longer text", "another longer text"].into_iter().cycle().take(60) {
            block_on(writer.upsert(&long(text))).unwrap();
            run.calendar.pass(Duration::from_secs(5));
            block_on(worker.catch_up()).unwrap();
            let Rows { records, markers, .. } = rows(&run.service);
            assert!(markers == 0 && records.len() < 2, "{seed}: {markers} markers, {records:?}");
        }
        run.calendar.pass(Duration::from_secs(600));
        run.catch_up().unwrap();
        let Rows { named, records, markers } = rows(&run.service);
        assert_eq!((blobs(&run.service), records.len(), markers), (named, 0, 0));
    }
}

/// A write takes effect after the deadline of its wake-up message, when a worker has advanced by `polls` steps. Returns
/// whether the worker needs more than `polls` steps.
fn overtaken(polls: usize) -> bool {
    let run = Run::new(1, false);
    run.world.calm();
    let (writer, worker) = (run.tables(0), run.tables(1));
    block_on(writer.insert(&long("abc"))).unwrap();
    run.world.slow_answers();
    let new = long("a longer text");
    let mut write = Stepped::new(writer.upsert(&new));
    assert!(write.advance_until(|| !blobs(&run.service).is_empty()) && write.is_pending());
    run.calendar.pass(Duration::from_secs(600));
    let mut look = Stepped::new(worker.catch_up());
    let is_busy = look.advance(polls);
    write.finish().unwrap();
    nothing_dangles(&run.service).unwrap_or_else(|wrong| panic!("{polls} polls: {wrong}"));
    if is_busy {
        look.finish().unwrap();
    }
    run.calendar.pass(Duration::from_secs(600));
    run.catch_up().unwrap();
    nothing_dangles(&run.service).unwrap_or_else(|wrong| panic!("{polls} polls: {wrong}"));
    assert_eq!((rows(&run.service).named, blobs(&run.service).len()), (blobs(&run.service), 1));
    is_busy
}

#[test]
fn collector_and_late_commit_agree_at_every_step() {
    let steps = (0..100).find(|polls| !overtaken(*polls)).unwrap();
    assert!(steps > 6, "only {steps} steps");
}
