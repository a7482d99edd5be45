//! Derived data through the HTTP client. Clients, workers and maintenance jobs use a network that loses requests and
//! responses, and delivers requests twice or late. At the end, derived data matches the entities, no orphaned blob
//! exists, and registers contain the last acknowledged value.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a team is keyed by its team")]

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use pollster::block_on;
use table_patterns::{DifferenceKind, prelude::*};
use table_proofs::simulation::{
    Calendar, Faults, Network, Schedule, Unreliable, World, collecting, pause, reindexing, runs, settling,
    verifying_and_repairing,
};
use table_store::{Clock, ErrorCode, MapStorage, OpenOptions, QueueService, Store, queue::QueueName};

/// An aggregate over the members of a team in all partitions.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "HttpTeams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "HttpMembers", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_score, partition = "score_{score:02}", row = "{club}_{id:02}", copy()))]
#[table(lookup(by_rows, on = team, place = table))]
#[table(lookup(by_list, on = team, place = table, ids = "HttpMemberDetails"))]
#[table(lookup(by_blob, on = team, place = blob))]
#[table(counted_in(Team::members), summed_in(Team::score, of = score))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: i32,
    #[table(blob, inline = 4)]
    text: Blob,
}

/// Two registers, each with a single writer.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "HttpRegisters", partition = "{shelf}", row = "{id:03}")]
struct Register {
    shelf: String,
    id: u16,
    note: i32,
    #[table(series)]
    hours: [Option<i32>; 4],
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 6, most: 6 };
const INDEXES: [&str; 4] = ["by_score", "by_rows", "by_list", "by_blob"];
const CLUBS: [&str; 2] = ["c", "d"];
const TEAMS: [&str; 2] = ["a", "b"];

async fn client(tables: Tables, world: World, steps: usize) {
    for _ in 0..steps {
        let (club, id) = (CLUBS[world.below(2)], u8::try_from(world.below(2)).unwrap());
        let text = Blob::new(["abc", "a longer text", "another longer text"][world.below(3)]);
        let (team, score) = (TEAMS[world.below(2)].into(), i32::try_from(world.below(2)).unwrap());
        let member = Member { club: club.into(), id, team, score, text };
        let point = Member::point(club, id);
        // After an error, the next step starts again.
        match world.below(4) {
            0 => drop(tables.insert(&member).await),
            1 => drop(tables.upsert(&member).await),
            2 => drop(tables.delete_if_exists(point).await),
            _ => {
                if let Ok(Some(mut stored)) = point.get(&tables).await {
                    *stored = member;
                    drop(tables.replace(&stored).await);
                }
            }
        }
    }
}

/// Applies the commit records of all partitions in a loop.
async fn applying(tables: Tables) {
    loop {
        for club in CLUBS {
            drop(tables.catch_up_partition(&Member::rows(club)).await);
        }
        pause().await;
    }
}

/// Fails if derived data differs from the entities.
fn is_derived(tables: &Tables) -> std::result::Result<(), String> {
    let text = |error: Error| error.to_string();
    let b = tables.blocking();
    let mut members = Vec::new();
    for club in CLUBS {
        members.extend(b.all(&Member::rows(club)).map_err(text)?.into_iter().map(Stored::into_inner));
    }
    let mut teams = BTreeMap::<&str, (i64, i64)>::new();
    for team in TEAMS {
        let group: Vec<_> = members.iter().filter(|member| member.team == team).cloned().collect();
        for (place, query) in [
            ("list", Member::by_list(team)),
            ("blob", Member::by_blob(team)),
            ("rows", Member::by_rows(team)),
        ] {
            let found: Vec<_> = b.all(&query).map_err(text)?.into_iter().map(Stored::into_inner).collect();
            if found != group {
                return Err(format!("{team} in {place}: {found:?}, entities imply {group:?}"));
            }
        }
        let score = group.iter().map(|member| i64::from(member.score)).sum();
        teams.insert(team, (i64::try_from(group.len()).unwrap(), score));
    }
    for team in TEAMS {
        let kept = b.get(&Team::point(team)).map_err(text)?.map_or((0, 0), |team| (team.members, team.score));
        if kept != teams[team] {
            return Err(format!("team {team} is {kept:?}, entities imply {:?}", teams[team]));
        }
    }
    for member in &members {
        if block_on(member.text.read(tables)).is_err() {
            return Err(format!("the blob of {member:?} is missing"));
        }
    }
    let collected =
        block_on(tables.collect_blobs::<Member>().older_than(Duration::ZERO).run()).map_err(text)?;
    if collected.deleted > 0 {
        return Err(format!("blobs that no entity names: {}", collected.deleted));
    }
    let report = b.sweep(tables.verify::<Member>()).map_err(text)?;
    if report.count() > report.count_of(DifferenceKind::Placeholder) || report.lagging > 0 {
        return Err(report.to_string());
    }
    Ok(())
}

struct Run {
    world: World,
    calendar: Calendar,
    store: Store,
    /// The service that executes late requests.
    service: Unreliable,
    seed: u64,
}

impl Run {
    fn new(seed: u64, faults: Faults) -> Self {
        let (world, calendar) = (World::new(seed, faults), Calendar::new());
        world.keep_time(calendar.clone(), Duration::from_secs(60));
        let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
        let service = Unreliable::new(store.clone(), world.clone());
        Self { world, calendar, store, service, seed }
    }

    /// Returns the handle of a separate process, which accesses the store through the network.
    fn tables(&self, number: u64) -> Tables {
        let network = Network::new(self.store.clone(), self.world.clone());
        let tables = network.tables().unwrap().with_seeded_tokens(self.seed << 3 | number);
        self.adapted(tables)
    }

    /// Returns a handle that accesses the store directly, without faults.
    fn quiet(&self) -> Tables {
        self.adapted(Tables::from(self.store.clone()))
    }

    fn adapted(&self, tables: Tables) -> Tables {
        let calendar = self.calendar.clone();
        let tables = tables.with_clock(move || calendar.now());
        tables.register_entity::<Member>();
        tables
    }

    /// Advances the clock by the duration of a request: usually 200 ms, sometimes 30 s.
    fn pass(&self) {
        let time = if self.world.below(60) == 0 { 30_000 } else { 200 };
        self.calendar.pass(Duration::from_millis(time));
    }

    /// Processes all wake-up messages, on a network without faults.
    fn drain(&self) -> std::result::Result<(), String> {
        let (tables, queue) = (self.tables(6), QueueName::new("tables-outbox").unwrap());
        for _ in 0..50 {
            block_on(tables.catch_up()).map_err(|error| error.to_string())?;
            let left = match block_on(self.store.queue_properties(&queue)) {
                Err(error) if error.code() == ErrorCode::QueueNotFound => 0,
                properties => properties.unwrap().approximate_messages,
            };
            if left == 0 {
                return Ok(());
            }
            self.calendar.pass(Duration::from_secs(60));
        }
        Err("wake-up messages are left".into())
    }
}

/// Creates tables, containers and the teams without faults, because their creation may sleep in real time.
fn prepare(run: &Run) {
    let quiet = run.quiet();
    for team in TEAMS {
        block_on(quiet.insert(&Team { team: team.into(), members: 0, score: 0 })).unwrap();
    }
    let text = Blob::new("a longer text");
    let member = Member { club: "c".into(), id: 9, team: "a".into(), score: 0, text };
    block_on(quiet.insert(&member)).unwrap();
    block_on(quiet.delete_if_exists(Member::point("c", 9))).unwrap();
}

/// Runs one schedule. Returns the number of requests, and an error if its final state is wrong.
fn run(seed: u64) -> (u64, std::result::Result<(), String>) {
    let run = Run::new(seed, FAULTS);
    prepare(&run);
    let mut schedule = Schedule::new(&run.service, run.world.clone());
    schedule.client(client(run.tables(0), run.world.clone(), 4));
    schedule.client(client(run.tables(1).with_deferred_updates(), run.world.clone(), 4));
    schedule.worker(applying(run.tables(2)));
    schedule.worker(settling(run.tables(3)));
    match seed % 8 {
        3 => schedule.worker(verifying_and_repairing::<Member>(run.tables(4))),
        5 => schedule.worker(reindexing::<Member>(run.tables(4), &INDEXES)),
        7 => schedule.worker(collecting::<Member>(run.tables(4))),
        _ => {}
    }
    schedule.run(|| run.pass());
    Schedule::calm(&run.service, &run.world, seed % 4 < 2);
    run.calendar.pass(Duration::from_secs(600));
    let calls = run.world.calls();
    (calls, run.drain().and_then(|()| is_derived(&run.quiet())))
}

#[test]
fn derived_data_through_http_follows_its_entities() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 48));
    for seed in 0..count {
        let (made, result) = run(seed);
        result.unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        calls += made;
    }
    println!("{count} schedules, {calls} requests");
}

#[test]
fn equal_seeds_send_equal_requests() {
    for seed in [2, 3, 5, 7] {
        assert_eq!(run(seed).0, run(seed).0, "seed {seed}");
    }
}

/// The condition of a writer's merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// By key, in any version.
    ByKey,
    /// With the version of a previous read.
    Versioned,
}

/// The last acknowledged value, all values of unknown outcome, and those after the last acknowledged value.
#[derive(Debug, Default)]
struct History {
    acknowledged: i32,
    unknown: Vec<i32>,
    unknown_since: Vec<i32>,
}

impl History {
    fn note(&mut self, value: i32, result: &Result<()>) {
        match result {
            Ok(()) => {
                self.acknowledged = value;
                self.unknown_since.clear();
            }
            Err(error) if error.is_outcome_unknown() => {
                self.unknown.push(value);
                self.unknown_since.push(value);
            }
            Err(_) => {}
        }
    }

    /// Returns whether the register may contain a value. A merge by key of unknown outcome may take effect later. A
    /// merge with a version cannot take effect after another write.
    fn allows(&self, form: Form, value: i32) -> bool {
        let unknown = if form == Form::ByKey { &self.unknown } else { &self.unknown_since };
        value == self.acknowledged || unknown.contains(&value)
    }
}

async fn merge(tables: &Tables, form: Form, is_slot: bool, value: i32) -> Result<()> {
    if form == Form::ByKey {
        let patch = Register::patch("s", 1);
        let patch = if is_slot { patch.hours(3, value) } else { patch.note(value) };
        return tables.merge(patch).await.map(drop);
    }
    let stored = Register::point("s", 1).get(tables).await?.unwrap();
    let patch = if is_slot { stored.patch().hours(3, value) } else { stored.patch().note(value) };
    tables.merge(patch).await.map(drop)
}

async fn write(tables: Tables, form: Form, is_slot: bool, history: Rc<RefCell<History>>) {
    for value in 1..=8 {
        let result = merge(&tables, form, is_slot, value).await;
        history.borrow_mut().note(value, &result);
    }
}

/// Runs one schedule. Fails if its final state is wrong. Returns the number of writes of unknown outcome.
fn registers(form: Form, seed: u64) -> std::result::Result<usize, String> {
    let run = Run::new(seed, Faults { late: 160, crash: 0, ..FAULTS });
    let register = Register { shelf: "s".into(), id: 1, note: 0, hours: [Some(0); 4] };
    block_on(run.quiet().insert(&register)).unwrap();
    let mut schedule = Schedule::new(&run.service, run.world.clone());
    let histories = [(false, 4), (true, 5)].map(|(is_slot, number)| {
        let history = Rc::new(RefCell::new(History::default()));
        schedule.client(write(run.tables(number), form, is_slot, history.clone()));
        history
    });
    schedule.run(|| {});
    Schedule::calm(&run.service, &run.world, true);
    let register = block_on(Register::point("s", 1).get(&run.quiet())).unwrap().unwrap();
    for (value, history) in [register.note, register.hours[3].unwrap()].into_iter().zip(&histories) {
        let history = history.borrow();
        if !history.allows(form, value) {
            return Err(format!("{value} after {history:?}"));
        }
    }
    Ok(histories.iter().map(|history| history.borrow().unknown.len()).sum())
}

#[test]
fn registers_through_http_keep_acknowledged_values() {
    for form in [Form::ByKey, Form::Versioned] {
        let mut unknown = 0;
        for seed in 0..runs("SIMULATIONS", 40) {
            unknown += registers(form, seed).unwrap_or_else(|wrong| panic!("seed {seed}, {form:?}: {wrong}"));
        }
        assert!(unknown > 0, "{form:?}: no response was lost");
    }
}
