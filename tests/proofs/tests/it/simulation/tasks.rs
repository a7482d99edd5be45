//! Tasks with concurrent workers that share messages and crash. A moved entity exists in its table or in the archive in
//! every state. A step with `once` takes effect exactly once.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use serde::{Deserialize, Serialize};
use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Schedule, Unreliable, UnreliableQueues, World, runs};
use table_store::{MapStorage, OpenOptions};

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m", archive = "Former")]
#[table(index(by_value, row = "value_{value:06}"))]
struct Member {
    club: String,
    value: u32,
}

/// The archived entity, for the manual steps of the guide.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Former", partition = "{club}", row = "m", aliases("Member"))]
struct Former {
    club: String,
    value: u32,
}

impl Former {
    fn of(member: &Member) -> Self {
        Self { club: member.club.clone(), value: member.value }
    }
}

/// The task of a move: the built-in task, or a variant that violates a rule.
trait Moves: Run {
    fn new() -> Self;
}

impl Moves for Archive<Member> {
    fn new() -> Self {
        Self::of(&MemberKey { club: "c".into() }).unwrap()
    }
}

macro_rules! broken_move {
    ($(#[$doc:meta])* $name:ident, |$tables:ident, $member:ident| $steps:block) => {
        $(#[$doc])*
        #[derive(Task, Serialize, Deserialize)]
        #[task(queue = "moves")]
        struct $name;

        impl Run for $name {
            async fn run(&self, $tables: &Tables) -> Result<Outcome> {
                if let Some($member) = Member::point("c").get($tables).await? $steps
                Ok(Outcome::Done)
            }
        }

        impl Moves for $name {
            fn new() -> Self {
                Self
            }
        }
    };
}

broken_move!(
    /// Upserts into the archive, then deletes the entity in any version.
    GuideBlind, |tables, member| {
        tables.upsert(&Former::of(&member)).await?;
        tables.delete_if_exists(Member::point("c")).await?;
    }
);
broken_move!(
    /// Only the delete requires a version.
    CondDeleteOnly, |tables, member| {
        tables.upsert(&Former::of(&member)).await?;
        tables.delete(&member).await?;
    }
);
broken_move!(
    /// Deletes the entity before it writes the archive.
    DeleteFirst, |tables, member| {
        tables.delete(&member).await?;
        tables.upsert(&Former::of(&member)).await?;
    }
);

struct Setting {
    world: World,
    service: Unreliable,
    queues: UnreliableQueues,
    seed: u64,
}

impl Setting {
    fn new(seed: u64) -> Self {
        let world = World::new(seed, FAULTS);
        let service =
            Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
        let queues = UnreliableQueues::new(world.clone());
        Self { world, service, queues, seed }
    }

    fn handle(&self, number: u64) -> Tables {
        let tables = Tables::new(self.service.clone()).with_queues(self.queues.clone());
        tables.with_seeded_tokens(self.seed << 3 | number)
    }

    /// Returns a handle without faults.
    fn below(&self) -> Tables {
        Tables::new(self.service.store().clone())
    }

    /// Disables faults, executes or discards the requests in flight, and processes all messages.
    fn end<T: Run>(&self, mut look: impl FnMut()) -> Result<(), String> {
        self.world.calm();
        if self.seed.is_multiple_of(2) {
            Schedule::land_all(&self.service);
        } else {
            self.world.forget_late();
        }
        look();
        let tables = self.handle(7);
        let worker = tables.worker().on::<T>();
        for _ in 0..20 {
            pollster::block_on(tables.retry_poisoned::<T>()).map_err(|error| error.to_string())?;
            pollster::block_on(worker.pass()).map_err(|error| error.to_string())?;
            if self.queues.messages() == 0 {
                return Ok(());
            }
        }
        Err(format!("{} messages are never done", self.queues.messages()))
    }
}

/// Runs passes in an endless loop. Other participants run between its calls.
async fn worker<T: Run>(tables: Tables) {
    let worker = tables.worker().on::<T>();
    loop {
        drop(worker.pass().await);
    }
}

/// Inserts the entity, changes it, and sends tasks that move it.
async fn client<T: Moves>(tables: Tables, world: World, first: u32) {
    for step in 0..6 {
        let value = first + step;
        let point = Member::point("c");
        // Errors are ignored; the next step starts again.
        match world.below(4) {
            0 => drop(tables.insert(&Member { club: "c".into(), value }).await),
            1 | 2 => {
                if let Ok(Some(mut stored)) = point.get(&tables).await {
                    stored.value = value;
                    drop(tables.replace(&stored).await);
                }
            }
            _ => drop(tables.send(&T::new()).await),
        }
    }
}

/// Returns the values in the table and in the archive.
fn values(tables: &Tables) -> (Option<u32>, Option<u32>) {
    let b = tables.blocking();
    let here = b.get(&Member::point("c")).unwrap().map(|member| member.value);
    (here, b.get(&Former::point("c")).unwrap().map(|former| former.value))
}

/// Runs one schedule. Fails if a state is wrong. Returns the number of completed moves.
fn move_run<T: Moves>(seed: u64) -> Result<u64, String> {
    let setting = Setting::new(seed);
    let below = setting.below();
    let (mut newest, mut was_here, mut moves, mut wrong) = (None, false, 0, Ok(()));
    let mut look = || {
        let (here, archived) = values(&below);
        if here.is_some() {
            newest = here;
        } else if archived != newest && wrong.is_ok() {
            wrong = Err(format!("{newest:?} was written, and the archive has {archived:?}"));
        }
        moves += u64::from(was_here && here.is_none());
        was_here = here.is_some();
    };
    let mut schedule = Schedule::new(&setting.service, setting.world.clone());
    schedule.client(client::<T>(setting.handle(0), setting.world.clone(), 100));
    schedule.client(client::<T>(setting.handle(1), setting.world.clone(), 200));
    for number in 2..5 {
        schedule.worker(worker::<T>(setting.handle(number)));
    }
    schedule.run(&mut look);
    setting.end::<T>(&mut look)?;
    look();
    // One more move, without concurrent clients.
    let quiet = setting.handle(6);
    pollster::block_on(quiet.send(&T::new())).map_err(|error| error.to_string())?;
    setting.end::<T>(&mut look)?;
    look();
    wrong?;
    match values(&below) {
        (Some(value), _) => Err(format!("{value} is here still")),
        (None, _) => Ok(moves),
    }
}

/// Requires that all schedules pass, and that they contain on average more than one relevant event.
fn all_hold(run: fn(u64) -> Result<u64, String>) {
    let (mut witnesses, count) = (0, runs("SIMULATIONS", 400));
    for seed in 0..count {
        witnesses += run(seed).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
    println!("{count} schedules, {witnesses} times");
    assert!(witnesses > count, "{witnesses} times in {count} schedules");
}

#[test]
fn the_newest_state_is_here_or_in_the_archive_in_every_state() {
    all_hold(move_run::<Archive<Member>>);
}

fn is_noticed(name: &str, run: fn(u64) -> Result<u64, String>) {
    let found = (0..4_000).find_map(|seed| run(seed).err().map(|wrong| (seed, wrong)));
    let (seed, wrong) = found.unwrap_or_else(|| panic!("{name} was not noticed"));
    println!("{name}: schedule {seed}: {wrong}");
}

#[test]
fn each_move_that_leaves_out_a_rule_is_noticed() {
    is_noticed("GuideBlind", move_run::<GuideBlind>);
    is_noticed("CondDeleteOnly", move_run::<CondDeleteOnly>);
    is_noticed("DeleteFirst", move_run::<DeleteFirst>);
}

/// Contains a hexadecimal digit per task, which counts its effects.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tallies", partition = "{club}", row = "tally")]
struct Tally {
    club: String,
    times: i64,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "adds")]
struct Add {
    digit: u32,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "adds", name = "Add")]
struct AddAgain {
    digit: u32,
}

async fn add(tables: &Tables, digit: u32, once: bool) -> Result<Outcome> {
    let Some(mut tally) = Tally::point("c").get(tables).await? else {
        return Ok(Outcome::Poison("no tally".into()));
    };
    tally.times += 1 << (4 * digit);
    if once {
        tables.transact().replace(&tally).once("add").await?;
    } else {
        tables.replace(&tally).await?;
    }
    Ok(Outcome::Done)
}

impl Run for Add {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        add(tables, self.digit, true).await
    }
}

impl Run for AddAgain {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        add(tables, self.digit, false).await
    }
}

/// Runs one schedule. Fails if a task takes effect twice, or if a sent task is lost. Returns the number of tasks that
/// took effect.
fn once_run<T: Run>(seed: u64) -> Result<u64, String> {
    let setting = Setting::new(seed);
    let below = setting.below();
    below.blocking().insert(&Tally { club: "c".into(), times: 0 }).unwrap();
    let digits = || {
        let times = below.blocking().get(&Tally::point("c")).unwrap().unwrap().times;
        (0..6).map(move |digit| times >> (4 * digit) & 15).collect::<Vec<_>>()
    };
    let mut wrong = Ok(());
    let sent = std::cell::RefCell::new(vec![false; 6]);
    let mut schedule = Schedule::new(&setting.service, setting.world.clone());
    for number in 0..2 {
        let (tables, sent) = (setting.handle(number), &sent);
        schedule.client(async move {
            for step in 0..3 {
                let digit = u32::try_from(number * 3 + step).unwrap();
                let answer = tables.send(&Add { digit }).await;
                sent.borrow_mut()[digit as usize] = answer.is_ok();
            }
        });
    }
    for number in 2..5 {
        schedule.worker(worker::<T>(setting.handle(number)));
    }
    schedule.run(|| {
        let digits = digits();
        if wrong.is_ok() && digits.iter().any(|times| *times > 1) {
            wrong = Err(format!("done {digits:?} times"));
        }
    });
    wrong?;
    setting.end::<T>(|| ())?;
    let digits = digits();
    let is_right = |(times, sent): (&i64, &bool)| *times == 1 || *times == 0 && !sent;
    if !digits.iter().zip(&*sent.borrow()).all(is_right) {
        return Err(format!("sent {:?}, done {digits:?} times", sent.borrow()));
    }
    Ok(digits.iter().sum::<i64>().unsigned_abs())
}

#[test]
fn a_step_is_done_once_for_each_task_that_was_sent() {
    all_hold(once_run::<Add>);
    is_noticed("without a marker", once_run::<AddAgain>);
}
