//! Rows in other partitions on a service that lists no commit records, so that workers find records only through
//! wake-up messages. Messages are duplicated, reordered, early and late; requests take effect late; clocks advance. At
//! the end, when the queue is empty, derived rows match their entities.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{
    Calendar, Faults, Schedule, Stepped, Unreliable, UnreliableQueues, World, runs, settling,
};
use table_store::{
    Clock, MapStorage, OpenOptions, Query as StoreQuery, RowRef, TableName, TableService, Timestamp, ValueRef,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}", copy(score)))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: i32,
}

const FAULTS: Faults = Faults { lost: 20, undone: 10, late: 40, crash: 30, most: 4 };

async fn client(tables: Tables, world: World, steps: usize) {
    for _ in 0..steps {
        let id = u8::try_from(world.below(2)).unwrap();
        let team = ["a", "b"][world.below(2)].to_owned();
        let score = i32::try_from(world.below(2)).unwrap();
        let member = Member { club: "c".into(), id, team, score };
        let point = Member::point("c", id);
        // Errors are ignored; the next step starts again.
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

/// Returns the commit records that no worker has applied. It ignores abort records, which are kept for days.
fn left(service: &Unreliable) -> Vec<(String, String)> {
    let table = TableName::new("Members").unwrap();
    let Ok(segment) = block_on(service.store().query(&table, StoreQuery::default())) else {
        return Vec::new();
    };
    let is_marker = |row: &RowRef<'_>| row.properties.get("_k") == Some(ValueRef::String("a"));
    let left = segment.rows.iter().filter(|row| row.row_key.unwrap().starts_with('!') && !is_marker(row));
    let keys = left.map(|row| (row.partition_key.unwrap(), row.row_key.unwrap()));
    keys.map(|(partition_key, row_key)| (partition_key.to_owned(), row_key.to_owned())).collect()
}

/// Fails if derived rows differ from their entities after all work, or if a commit record remains.
fn wrong(service: &Unreliable, tables: &Tables) -> Result<(), String> {
    let b = tables.blocking();
    let text = |error: Error| error.to_string();
    let members = b.all(&Member::rows("c")).map_err(text)?;
    let mut expected: Vec<_> = members.iter().map(|m| (m.team.clone(), m.id, m.score)).collect();
    expected.sort();
    let mut found = Vec::new();
    for team in ["a", "b"] {
        let rows = b.all(&Member::by_team_rows(team)).map_err(text)?;
        found.extend(rows.iter().map(|row| (row.team.clone(), row.id, row.score)));
    }
    found.sort();
    if expected != found {
        return Err(format!("rows of by_team {found:?}, entities say {expected:?}"));
    }
    let left = left(service);
    if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
}

/// Seconds that a wall clock is ahead of the calendar.
type Ahead = Arc<AtomicI64>;

const HOUR: i64 = 3_600;
/// The number of clocks: four for the processes of a run, one for the final check, and one for the queue service.
const CLOCKS: u64 = 6;

struct Run {
    world: World,
    calendar: Calendar,
    service: Unreliable,
    queues: UnreliableQueues,
    seed: u64,
    ahead: Vec<Ahead>,
}

/// Returns a wall clock that is ahead of the calendar.
fn wall(calendar: &Calendar, ahead: &Ahead) -> impl Fn() -> Timestamp + Send + Sync + use<> {
    let (calendar, ahead) = (calendar.clone(), Arc::clone(ahead));
    move || {
        let ticks = Clock::now(&calendar).ticks() + ahead.load(Ordering::Relaxed) * 10_000_000;
        Timestamp::from_ticks(ticks).unwrap()
    }
}

impl Run {
    fn new(seed: u64) -> Self {
        Self::with(seed, FAULTS)
    }

    fn with(seed: u64, faults: Faults) -> Self {
        let (world, calendar) = (World::new(seed, faults), Calendar::new());
        // With this start, a clock can be behind the calendar.
        calendar.pass(Duration::from_secs(86_400));
        // A request takes at most half of the time within which an attempt must take effect.
        world.keep_time(calendar.clone(), Duration::from_secs(60));
        let service =
            Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone())
                .without_marks();
        let ahead: Vec<Ahead> = (0..CLOCKS).map(|_| Ahead::default()).collect();
        let queues = UnreliableQueues::new(world.clone()).with_clock(wall(&calendar, &ahead[5]));
        Self { world, calendar, service, queues, seed, ahead }
    }

    /// Creates a run whose wall clocks are correct, an hour ahead, or an hour behind.
    fn skewed(seed: u64) -> Self {
        let run = Self::new(seed);
        run.ahead.iter().for_each(|ahead| run.set(ahead));
        run
    }

    fn set(&self, ahead: &Ahead) {
        ahead.store([-HOUR, 0, HOUR][self.world.below(3)], Ordering::Relaxed);
    }

    /// Returns the handle of a separate process. Its monotonic clock follows the calendar.
    fn tables(&self, number: u64) -> Tables {
        let wall = wall(&self.calendar, &self.ahead[usize::try_from(number).unwrap()]);
        let tables = Tables::new(self.service.clone())
            .with_queues(self.queues.clone())
            .with_seeded_tokens(self.seed << 3 | number)
            .with_clock(wall)
            .with_steady_clock(self.calendar.clone());
        tables.register_entity::<Member>();
        tables
    }

    /// Runs two clients and two workers. Then disables faults and executes or discards the requests in flight.
    fn busy(&self) {
        self.busy_while(|| ());
    }

    fn busy_while(&self, mut look: impl FnMut()) {
        let mut schedule = Schedule::new(&self.service, self.world.clone());
        schedule.client(client(self.tables(0), self.world.clone(), 7));
        let second = self.tables(1);
        let second = if self.seed.is_multiple_of(3) { second.with_deferred_updates() } else { second };
        schedule.client(client(second, self.world.clone(), 7));
        schedule.worker(settling(self.tables(2)));
        schedule.worker(settling(self.tables(3)));
        // Each call takes time: usually a second, sometimes most of a minute.
        schedule.run(|| {
            self.calendar.pass(Duration::from_secs(if self.world.below(20) == 0 { 50 } else { 1 }));
            look();
        });
        self.world.calm();
        if self.seed.is_multiple_of(2) {
            Schedule::land_all(&self.service);
        } else {
            self.world.forget_late();
        }
        self.calendar.pass(Duration::from_secs(600));
    }

    /// Processes all wake-up messages.
    fn quiet(&self) -> Result<Tables, String> {
        let tables = self.tables(4);
        for _ in 0..100 {
            if self.queues.messages() == 0 {
                return Ok(tables);
            }
            block_on(tables.catch_up()).map_err(|error| error.to_string())?;
        }
        Err(format!("{} messages stay for ever", self.queues.messages()))
    }
}

fn run(seed: u64) -> Result<u64, String> {
    let run = Run::new(seed);
    run.busy();
    ended(&run)
}

/// Applies all pending commit records and checks the rows. Returns the number of calls.
fn ended(run: &Run) -> Result<u64, String> {
    let tables = run.quiet()?;
    wrong(&run.service, &tables)?;
    Ok(run.world.calls())
}

/// Runs a schedule, deletes all messages of the queue, and sweeps the tables.
fn run_without_queue(seed: u64) -> Result<u64, String> {
    let run = Run::new(seed);
    run.busy();
    run.queues.lose();
    let tables = run.tables(4);
    let text = |error: Error| error.to_string();
    let swept = tables.blocking().sweep(tables.sweep().page_size(1)).map_err(text)?;
    if swept.left > 0 {
        return Err(format!("{swept:?}"));
    }
    wrong(&run.service, &tables)?;
    Ok(swept.followed)
}

#[test]
fn hints_lead_to_all_that_is_left_to_do_and_go_when_it_is_done() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 300));
    for seed in 0..count {
        match run(seed) {
            Ok(made) => calls += made,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {calls} calls");
}

#[test]
fn skewed_clocks_lose_no_commit() {
    for seed in 0..runs("SIMULATIONS", 100) {
        let run = Run::skewed(seed);
        run.busy();
        ended(&run).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}

#[test]
fn stepping_clocks_lose_no_commit() {
    for seed in 0..runs("SIMULATIONS", 100) {
        let run = Run::skewed(seed);
        // The clock of the queue service stays correct, as the protocol assumes.
        let own = usize::try_from(CLOCKS).unwrap() - 1;
        run.busy_while(|| {
            if run.world.below(30) == 0 {
                run.set(&run.ahead[run.world.below(own)]);
            }
        });
        ended(&run).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}

/// A worker whose clock is ahead polls after the writer has put its wake-up message and before it writes.
#[test]
fn worker_clock_ahead_keeps_the_hint() {
    for ahead in [-HOUR, 180, HOUR] {
        let run = Run::with(1, Faults::default());
        run.ahead[1].store(ahead, Ordering::Relaxed);
        let (writer, worker) = (run.tables(0).with_deferred_updates(), run.tables(1));
        block_on(writer.insert(&Member { club: "c".into(), id: 0, team: "b".into(), score: 0 })).unwrap();
        block_on(worker.catch_up()).unwrap();
        let new = Member { club: "c".into(), id: 1, team: "a".into(), score: 1 };
        let mut write = Stepped::new(writer.insert(&new));
        let messages = run.queues.messages();
        drive(&mut write, || run.queues.messages() > messages);
        for _ in 0..5 {
            block_on(worker.catch_up()).unwrap();
        }
        write.finish().unwrap();
        run.calendar.pass(Duration::from_secs(600));
        let tables = run.quiet().unwrap();
        wrong(&run.service, &tables).unwrap();
    }
}

#[test]
fn a_sweep_finds_what_a_lost_queue_pointed_at() {
    let count = runs("SIMULATIONS", 300);
    let followed: u64 = (0..count)
        .map(|seed| run_without_queue(seed).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}")))
        .sum();
    println!("{count} schedules, {followed} commits were found by a sweep");
    assert!(followed > count / 10, "only {followed} commits were left to find");
}

/// Advances a future until a condition is true.
fn drive<T>(work: &mut Stepped<'_, T>, is_so: impl Fn() -> bool) {
    assert!(work.advance_until(is_so) && work.is_pending(), "it ended before");
}

/// A worker waits for the response to its read while a commit takes effect, immediately before the deadline.
fn a_look_that_takes_long() -> Result<(), String> {
    let run = Run::with(1, Faults::default());
    run.world.slow_answers();
    let member = |id| Member { club: "c".into(), id, team: "a".into(), score: 1 };
    run.tables(0).blocking().insert(&member(0)).unwrap();
    assert_eq!(run.queues.messages(), 0, "the writer took its hint back");

    let (writer, looker) = (run.tables(1).with_deferred_updates(), run.tables(2));
    let new = member(1);
    let mut write = Stepped::new(writer.insert(&new));
    drive(&mut write, || run.queues.messages() == 1);
    // The worker requests the number of messages, receives them, and reads the partition.
    let mut look = Stepped::new(looker.catch_up());
    let calls = run.world.calls() + 3;
    drive(&mut look, || run.world.calls() == calls);
    write.finish().map_err(|error| error.to_string())?;
    run.calendar.pass(Duration::from_secs(600));
    look.finish().map_err(|error| error.to_string())?;
    let tables = run.quiet()?;
    wrong(&run.service, &tables)
}

#[test]
fn a_deadline_that_passes_while_somebody_looks_keeps_the_hint() {
    a_look_that_takes_long().unwrap();
}

/// A writer receives the response to its `step`th call five minutes late, while a worker polls. A step of its wall
/// clock hides the delay, but its monotonic clock shows it. Returns whether the write had more than `step` calls.
fn slow_step(step: usize, stepped: i64) -> bool {
    let run = Run::with(1, Faults::default());
    let (first, writer, worker) = (run.tables(0), run.tables(1).with_deferred_updates(), run.tables(2));
    block_on(first.insert(&Member { club: "c".into(), id: 0, team: "b".into(), score: 0 })).unwrap();
    run.world.slow_answers();
    let new = Member { club: "c".into(), id: 1, team: "a".into(), score: 1 };
    let mut write = Stepped::new(writer.insert(&new));
    let is_busy = write.advance(step);
    run.calendar.pass(Duration::from_secs(300));
    run.ahead[1].store(stepped, Ordering::Relaxed);
    block_on(worker.catch_up()).unwrap();
    if is_busy {
        // A request with this delay fails without a write.
        drop(write.finish());
    }
    run.calendar.pass(Duration::from_secs(600));
    let tables = run.quiet().unwrap();
    wrong(&run.service, &tables).unwrap_or_else(|wrong| panic!("step {step}, {stepped} s: {wrong}"));
    is_busy
}

#[test]
fn slow_put_is_put_again_before_the_write() {
    for stepped in [0, -HOUR, HOUR] {
        let steps = (0..100).find(|step| !slow_step(*step, stepped)).unwrap();
        assert!(steps > 2, "only {steps} steps");
    }
}
