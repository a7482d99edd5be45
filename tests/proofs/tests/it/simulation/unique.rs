//! Unique values in other partitions. Concurrent clients claim and release values, lose responses and crash, while
//! workers apply commit records. In every state, at most one entity has a value, and the row of the value names that
//! entity. At the end, the row is live if an entity has the value, and otherwise does not exist or is an empty
//! placeholder.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "two indexes are unique")]

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use pollster::block_on;
use table_patterns::{Timestamp, WriteResult, prelude::*};
use table_proofs::simulation::{
    Below, Calendar, Fate, Faults, Schedule, Stepped, Unreliable, UnreliableQueues, World, runs, settling,
};
use table_store::{Clock, Query as StoreQuery, TableName, ValueRef};

use super::memory;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cards", partition = "of_{club}", row = "c_{id:02}")]
#[table(index(by_badge, partition = "badge_{badge:02}", row = "holder", unique, copy(note)))]
#[table(index(by_phone, partition = "phone_{phone:02}", row = "holder", unique, sparse, copy()))]
struct Card {
    club: String,
    id: u8,
    badge: u8,
    phone: Option<u8>,
    note: i32,
}

/// The faults of most runs.
const FAULTS: Faults = Faults { lost: 20, undone: 10, late: 25, crash: 12, most: 4 };

/// At most one late request.
const LATE: Faults = Faults { lost: 0, undone: 0, late: 120, crash: 0, most: 1 };

/// The clock of all handles. It stops until no request is in flight.
#[derive(Clone, Debug, Default)]
struct Time(Arc<AtomicU64>);

impl Time {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(self.0.load(Ordering::Relaxed)))
    }

    fn give(&self, tables: Tables) -> Tables {
        let time = self.clone();
        tables.with_clock(move || time.now())
    }

    fn queues(&self, world: &World) -> UnreliableQueues {
        let time = self.clone();
        UnreliableQueues::new(world.clone()).with_clock(move || time.now())
    }

    fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }
}

/// The clients of a run, the range of values, and the mix of operations.
#[derive(Clone, Copy, Debug)]
struct Plan {
    clients: u64,
    steps: usize,
    badges: usize,
    cards: usize,
    phones: bool,
    /// One client only deletes, and the other only inserts.
    sides: bool,
    faults: Faults,
}

impl Plan {
    fn of(seed: u64) -> Self {
        let few =
            Self { clients: 3, steps: 5, badges: 1, cards: 2, phones: false, sides: false, faults: FAULTS };
        match seed % 8 {
            0 => Self { clients: if seed.is_multiple_of(32) { 16 } else { 5 }, steps: 2, cards: 16, ..few },
            1 => Self { badges: 2, cards: 3, phones: true, ..few },
            2 | 3 => Self { clients: 2, steps: 7, cards: 1, ..few },
            4 | 5 => Self { clients: 2, steps: 2, cards: 1, sides: true, ..few },
            _ => Self { clients: 2, steps: 2, cards: 1, sides: true, faults: LATE, ..few },
        }
    }
}

async fn client(tables: Tables, world: World, plan: Plan, number: u64) {
    // Most deletes find no entity, so the deleting client needs more steps.
    let is_eager = plan.sides && number == 0;
    for _ in 0..if is_eager { 40 } else { plan.steps } {
        let id = u8::try_from(world.below(plan.cards)).unwrap();
        let club = ["a", "b"][usize::from(id % 2)].to_owned();
        let badge = u8::try_from(world.below(plan.badges)).unwrap();
        let phone = (plan.phones && world.below(3) > 0).then(|| u8::try_from(world.below(2)).unwrap());
        let card = Card { club: club.clone(), id, badge, phone, note: 0 };
        let point = Card::point(&club, id);
        // Errors are ignored; the next step starts again.
        let drawn = match (plan.sides, is_eager) {
            (false, _) => world.below(8),
            (true, is_eager) => usize::from(is_eager) * 4,
        };
        match drawn {
            0..=2 => drop(tables.insert(&card).await),
            3 => drop(tables.upsert(&card).await),
            4 | 5 => drop(tables.delete_if_exists(point).await),
            6 => {
                let Ok(Some(mut stored)) = point.get(&tables).await else { continue };
                *stored = card;
                drop(tables.replace(&stored).await);
            }
            _ => {
                let Ok(Some(stored)) = point.get(&tables).await else { continue };
                drop(tables.delete(&stored).await);
            }
        }
    }
}

type Row = BTreeMap<String, String>;

/// Returns all stored rows, as a map from keys to properties as strings.
fn raw(service: &Unreliable<impl Below>) -> BTreeMap<(String, String), Row> {
    let table = TableName::new("Cards").unwrap();
    let Ok(segment) = block_on(service.store().query(&table, StoreQuery::default())) else {
        return BTreeMap::new();
    };
    let rows = segment.rows.iter().map(|row| {
        let text = |value| match value {
            ValueRef::String(text) => text.to_owned(),
            ValueRef::Int32(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        let properties = row.properties.iter().map(|(name, value)| (name.to_owned(), text(value)));
        ((row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned()), properties.collect())
    });
    rows.collect()
}

fn text(row: &Row, name: &str) -> String {
    row.get(name).cloned().unwrap_or_default()
}

/// Returns the values of all entities, as a map from the key of the value's row to its expected source. Fails if two
/// entities have the same value.
fn held(rows: &BTreeMap<(String, String), Row>) -> Result<BTreeMap<(String, String), String>, String> {
    let mut held = BTreeMap::new();
    for ((club, key), row) in rows.iter().filter(|((_, key), _)| key.starts_with("c_")) {
        let source = format!(r#"["Cards","{club}","{key}"]"#);
        let values = [("badge", row.get("badge")), ("phone", row.get("phone"))];
        for (name, value) in values.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            let value = (format!("{name}_{value:0>2}"), "holder".to_owned());
            if let Some(other) = held.insert(value.clone(), source.clone()) {
                return Err(format!("{value:?} is held by {other} and {source}"));
            }
        }
    }
    Ok(held)
}

/// Fails if two entities have the same value, or if the row of a value does not name its entity. The check runs after
/// each step, so it avoids copies.
fn is_safe(service: &Unreliable<impl Below>) -> Result<(), String> {
    let table = TableName::new("Cards").unwrap();
    let Ok(segment) = block_on(service.store().query(&table, StoreQuery::default())) else {
        return Ok(());
    };
    let (mut values, mut named) = (Vec::new(), Vec::new());
    for row in &segment.rows {
        let (partition, key) = row.partition_key.zip(row.row_key).unwrap();
        if key == "holder" {
            let Some(ValueRef::String(source)) = row.properties.get("_src") else { continue };
            named.push((partition, source));
        } else if key.starts_with("c_") {
            for (number, name) in ["badge", "phone"].into_iter().enumerate() {
                let Some(ValueRef::Int32(value)) = row.properties.get(name) else { continue };
                values.push(((number, value), partition, key));
            }
        }
    }
    for (at, ((number, value), club, id)) in values.iter().enumerate() {
        let row = format!("{}_{value:02}", ["badge", "phone"][*number]);
        if values[..at].iter().any(|(other, ..)| other == &(*number, *value)) {
            return Err(format!("{row} is held twice, by {club} {id} and another"));
        }
        let source = named.iter().find(|(partition, _)| **partition == row).map(|(_, source)| *source);
        if source.is_none_or(|source| source != format!(r#"["Cards","{club}","{id}"]"#)) {
            return Err(format!("{club} {id} has {row}, whose row names {source:?}"));
        }
    }
    Ok(())
}

/// Fails after all work if live rows differ from the values of entities, or if records or messages remain.
fn is_good(service: &Unreliable<impl Below>, queues: &UnreliableQueues) -> Result<(), String> {
    let rows = raw(service);
    let held = held(&rows)?;
    let mut live = BTreeMap::new();
    for (key, row) in rows.iter().filter(|((_, key), _)| key == "holder") {
        match text(row, "_st").as_str() {
            "l" => drop(live.insert(key.clone(), text(row, "_src"))),
            // Placeholder rows are invisible to readers and do not block a claim.
            "s" => {}
            _ => return Err(format!("left behind: {key:?} {row:?}")),
        }
    }
    if live != held {
        return Err(format!("live rows {live:?}, held {held:?}"));
    }
    let mut records = rows.iter().filter(|((_, key), row)| key.starts_with('!') && text(row, "_k") != "a");
    if let Some((key, _)) = records.next() {
        return Err(format!("left behind: {key:?}"));
    }
    if queues.messages() > 0 {
        return Err(format!("{} hints are left", queues.messages()));
    }
    Ok(())
}

/// Claims a value after the run. The claim must fail if an entity has the value, and succeed otherwise.
fn is_told(tables: &Tables, service: &Unreliable<impl Below>) -> Result<(), String> {
    let held = held(&raw(service))?;
    let card = Card { club: "z".into(), id: 99, badge: 0, phone: None, note: 0 };
    let is_held = held.contains_key(&("badge_00".to_owned(), "holder".to_owned()));
    match block_on(tables.insert(&card)) {
        Ok(_) if !is_held => {
            let row = block_on(Card::by_badge(0).get(tables)).map_err(|error| error.to_string())?;
            if row.is_none_or(|row| row.id != 99) {
                return Err("a value that was claimed is not found by it".to_owned());
            }
            is_safe(service)
        }
        Err(Error::Unique(violation)) if is_held && violation.index == "by_badge" => Ok(()),
        other => Err(format!("held {is_held}, and a claimant was told {other:?}")),
    }
}

/// Runs one schedule. Fails if a state is wrong. Returns the number of calls.
pub(super) fn run(seed: u64, store: impl Below) -> Result<u64, String> {
    let plan = Plan::of(seed);
    let (world, time) = (World::new(seed, plan.faults), Time::default());
    let service = Unreliable::new(store, world.clone());
    // Some runs find commit records only through wake-up messages, as on a service without a list of records.
    let service =
        if seed.is_multiple_of(5) || plan.faults == LATE { service.without_marks() } else { service };
    let queues = time.queues(&world);
    let mut wrong = Ok(());
    let handle = |number| {
        let tables = Tables::new(service.clone()).with_queues(queues.clone());
        let tables = time.give(tables.with_seeded_tokens(seed << 5 | number));
        tables.register_entity::<Card>();
        tables
    };
    let mut schedule = Schedule::new(&service, world.clone());
    for number in 0..plan.clients {
        let tables = handle(number);
        let tables = if number % 2 == 1 { tables.with_deferred_updates() } else { tables };
        schedule.client(client(tables, world.clone(), plan, number));
    }
    for number in if plan.sides { 30..31 } else { 30..32 } {
        schedule.worker(settling(handle(number)));
    }
    schedule.run(|| {
        if wrong.is_ok() {
            wrong = is_safe(&service);
        }
    });
    wrong?;
    world.calm();
    if seed.is_multiple_of(4) {
        world.forget_late();
    } else {
        Schedule::land_all(&service);
    }
    is_safe(&service)?;
    let quiet = Tables::new(service.store().clone()).with_queues(queues.clone());
    let quiet = time.give(quiet);
    quiet.register_entity::<Card>();
    for _ in 0..3 {
        // No request is in flight, so all deadlines may pass.
        time.pass(600);
        settle(&quiet)?;
    }
    is_good(&service, &queues)?;
    is_told(&quiet, &service)?;
    Ok(world.calls())
}

/// Applies all pending commit records.
fn settle(tables: &Tables) -> Result<(), String> {
    block_on(tables.catch_up()).map(drop).map_err(|error| error.to_string())
}

#[test]
fn one_entity_at_most_has_a_value() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 300));
    for seed in runs("FIRST_SEED", 0)..count {
        match run(seed, memory()) {
            Ok(made) => calls += made,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {calls} calls");
}

/// Runs one claim without concurrent clients; its writes have the given outcomes. Returns its result and the state of
/// the run.
fn claim_alone(
    fates: &[Fate],
    mut look: impl FnMut(&Unreliable, &Time),
) -> (Option<Result<WriteResult>>, Unreliable, UnreliableQueues, Tables, Time) {
    let (world, time) = (World::new(1, Faults::default()), Time::default());
    let service = Unreliable::new(memory(), world.clone());
    let queues = time.queues(&world);
    let tables = Tables::new(service.clone()).with_queues(queues.clone()).with_seeded_tokens(7);
    let tables = time.give(tables);
    block_on(tables.service().create_table(&TableName::new("Cards").unwrap())).unwrap();
    world.plan(fates.iter().copied());
    let mut told = None;
    let mut schedule = Schedule::new(&service, world.clone());
    schedule.client(async {
        let card = Card { club: "a".into(), id: 1, badge: 0, phone: None, note: 0 };
        told = Some(tables.insert(&card).await);
    });
    schedule.run(|| look(&service, &time));
    world.calm();
    let quiet = Tables::new(service.store().clone()).with_queues(queues.clone());
    let quiet = time.give(quiet);
    quiet.register_entity::<Card>();
    (told, service, queues, quiet, time)
}

#[test]
fn wherever_a_claimant_ends_the_next_one_is_told_the_truth_and_nothing_is_left() {
    // The wake-up message, the reservation, the commit, the live row, the record, and the message again.
    const WRITES: usize = 6;
    let ends = [Fate::CrashBefore, Fate::CrashAfter, Fate::Lost, Fate::Undone, Fate::Late];
    for (at, fate) in (0..=WRITES).flat_map(|at| ends.map(|fate| (at, fate))) {
        let fates: Vec<_> = std::iter::repeat_n(Fate::Well, at).chain([fate]).collect();
        for lands_first in [true, false] {
            let (told, service, queues, quiet, time) = claim_alone(&fates, |_, _| ());
            if lands_first {
                Schedule::land_all(&service);
            }
            let holds = block_on(Card::point("a", 1).get(&quiet)).unwrap().is_some();
            if let Some(Ok(_)) = told {
                assert!(holds, "{at} {fate:?}: told that it was done");
            }
            is_told(&quiet, &service).unwrap_or_else(|wrong| panic!("{at} {fate:?}: {wrong}"));
            Schedule::land_all(&service);
            is_safe(&service).unwrap_or_else(|wrong| panic!("{at} {fate:?}: {wrong}"));
            for _ in 0..3 {
                time.pass(600);
                settle(&quiet).unwrap();
            }
            is_good(&service, &queues).unwrap_or_else(|wrong| panic!("{at} {fate:?}: {wrong}"));
        }
    }
}

#[test]
fn an_attempt_that_slept_too_long_is_not_committed_but_made_again() {
    let mut slept = false;
    let (told, service, _, quiet, _) = claim_alone(&[], |service, time| {
        let is_reserved = |row: &Row| text(row, "_st") == "p";
        if !slept && raw(service).values().any(is_reserved) {
            slept = true;
            time.pass(61);
        }
    });
    assert!(slept && told.unwrap().is_ok());
    assert!(block_on(Card::by_badge(0).get(&quiet)).unwrap().is_some_and(|card| card.id == 1));
    is_safe(&service).unwrap();
}

/// A claimant receives the response to its `step`th call ten minutes late. In the meantime, a worker processes the
/// wake-up message. Returns whether the write had more than `step` calls.
fn slow_claim(step: usize) -> bool {
    let (world, calendar) = (World::new(1, Faults::default()), Calendar::new());
    world.keep_time(calendar.clone(), Duration::from_secs(60));
    let clock = || {
        let calendar = calendar.clone();
        move || Clock::now(&calendar)
    };
    let service = Unreliable::new(memory(), world.clone()).without_marks();
    let queues = UnreliableQueues::new(world.clone()).with_clock(clock());
    let handle = |number| {
        let tables = Tables::new(service.clone()).with_queues(queues.clone());
        let tables = tables.with_seeded_tokens(number).with_clock(clock());
        tables.register_entity::<Card>();
        tables
    };
    let (claimant, worker) = (handle(1).with_deferred_updates(), handle(2));
    let card = |id| Card { club: "a".into(), id, badge: 0, phone: None, note: 0 };
    // The row of the value names an entity that no longer has it. The claimant reads both.
    block_on(worker.insert(&card(2))).unwrap();
    block_on(claimant.delete_at(Card::point("a", 2))).unwrap();
    world.slow_answers();
    let new = card(1);
    let mut write = Stepped::new(claimant.insert(&new));
    let is_busy = write.advance(step);
    calendar.pass(Duration::from_secs(600));
    settle(&worker).unwrap();
    if is_busy {
        // A request with this delay fails.
        drop(write.finish());
    }
    world.calm();
    for _ in 0..3 {
        calendar.pass(Duration::from_secs(600));
        settle(&worker).unwrap();
    }
    is_good(&service, &queues).unwrap_or_else(|wrong| panic!("step {step}: {wrong}"));
    is_busy
}

#[test]
fn slow_claim_is_not_committed_without_a_hint() {
    let steps = (0..100).find(|step| !slow_claim(*step)).unwrap();
    assert!(steps > 6, "only {steps} steps");
}
