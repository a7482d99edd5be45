//! Online index changes: old and new programs write while indexes are added and dropped, workers apply commit records,
//! and time passes. Calls are late or lost, and participants crash, in every state of the registry. A readable index
//! matches the entities. A dropped index leaves no rows.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]

use std::{
    cell::Cell,
    fmt,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use table_patterns::{IndexState, IndexStep, LeaseClock, MAX_REQUEST_AGE, prelude::*};
use table_proofs::simulation::{Calendar, Faults, Schedule, Unreliable, World, pause, runs, settling};
use table_store::{MapStorage, OpenOptions, Query as StoreQuery, Store, TableName, TableService};

use super::registry_use::By;

/// The old version of the program, without indexes.
mod old {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
    pub(crate) struct Member {
        pub(crate) club: String,
        pub(crate) id: u8,
        pub(crate) team: String,
        pub(crate) score: u8,
    }
}

/// The new version of the program.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}", copy(score)))]
#[table(index(by_score, row = "score_{score:03}_{id:02}"))]
#[table(lookup(by_points, on = score, ids = "MemberIDs"))]
#[table(lookup(by_mates, on = team))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: u8,
}

const INDEXES: [&str; 4] = ["by_team", "by_score", "by_points", "by_mates"];
const FAULTS: Faults = Faults { lost: 20, undone: 10, late: 25, crash: 8, most: 3 };
const IDS: usize = 3;

fn member(world: &World, id: u8) -> Member {
    let team = ["a", "b"][world.below(2)].to_owned();
    Member { club: "c".into(), id, team, score: u8::try_from(world.below(2)).unwrap() }
}

fn as_it_was(member: Member) -> old::Member {
    let Member { club, id, team, score } = member;
    old::Member { club, id, team, score }
}

fn some_id(world: &World) -> u8 {
    u8::try_from(world.below(IDS)).unwrap()
}

/// Writes until the registry rejects writes of the old version.
async fn old_client(tables: Tables, world: World, steps: usize) {
    for _ in 0..steps {
        let member = as_it_was(member(&world, some_id(&world)));
        let point = old::Member::point("c", member.id);
        let done = match world.below(3) {
            0 => tables.upsert(&member).await.map(drop),
            1 => tables.delete_if_exists(point).await.map(drop),
            _ => match point.get(&tables).await {
                Ok(Some(mut stored)) => {
                    *stored = member;
                    tables.replace(&stored).await.map(drop)
                }
                other => other.map(drop),
            },
        };
        if matches!(done, Err(Error::Registry(_))) {
            return;
        }
    }
}

async fn client(tables: Tables, world: World, steps: usize) {
    for _ in 0..steps {
        let member = member(&world, some_id(&world));
        let point = Member::point("c", member.id);
        match world.below(4) {
            0 => drop(tables.upsert(&member).await),
            1 => drop(tables.delete_if_exists(point).await),
            2 => {
                if let Ok(Some(mut stored)) = point.get(&tables).await {
                    *stored = member;
                    drop(tables.replace(&stored).await);
                }
            }
            _ => drop(tables.insert(&member).await),
        }
    }
}

/// Adds or drops an index. The registry stores the progress.
async fn mover(tables: Tables, world: World, calendar: Calendar, index: &'static str, comes: bool) {
    let change = if comes { tables.add_index::<Member>(index) } else { tables.drop_index::<Member>(index) }
        .page_size(2);
    for _ in 0..200 {
        match change.step().await {
            Ok(IndexStep::Done) => return,
            Ok(IndexStep::Wait(rest)) => {
                // Other participants run while time passes.
                for _ in 0..4 {
                    calendar.pass(rest / 4 + Duration::from_millis(1));
                    for _ in 0..world.below(30) {
                        pause().await;
                    }
                }
            }
            Ok(_) | Err(_) => {}
        }
    }
}

fn keys(store: &Store) -> Vec<(String, String)> {
    let table = TableName::new("Members").unwrap();
    let segment = pollster::block_on(store.query(&table, StoreQuery::default())).unwrap();
    let rows = segment.rows.iter();
    rows.map(|row| (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned())).collect()
}

fn is_row_of(index: &str, (partition_key, row_key): &(String, String)) -> bool {
    match index {
        "by_team" => partition_key.starts_with("team_"),
        "by_score" => row_key.starts_with("score_") && !row_key.contains('!'),
        "by_points" => row_key.starts_with("points_"),
        _ => row_key.starts_with("mates_"),
    }
}

/// Returns the ids that an index contains, and the expected ids.
fn given(tables: &Tables, index: &str) -> (Vec<u8>, Vec<u8>) {
    let b = tables.blocking();
    let members = b.all(&Member::rows("c")).unwrap();
    let mut wanted: Vec<u8> = members.iter().map(|member| member.id).collect();
    let mut found: Vec<u8> = Vec::new();
    match index {
        "by_team" => {
            for team in ["a", "b"] {
                let rows = b.all(&Member::by_team_rows(team)).unwrap();
                let rows = rows.iter().filter(|row| {
                    members.iter().any(|one| (one.id, &*one.team, one.score) == (row.id, team, row.score))
                });
                found.extend(rows.map(|row| row.id));
            }
        }
        "by_score" => found.extend(b.all(&Member::by_score_rows("c")).unwrap().iter().map(|row| row.id)),
        "by_points" => {
            for score in 0..2 {
                found.extend(b.all(&Member::by_points("c", score)).unwrap().iter().map(|row| row.id));
            }
        }
        _ => {
            for team in ["a", "b"] {
                found.extend(b.all(&Member::by_mates("c", team)).unwrap().iter().map(|row| row.id));
            }
        }
    }
    wanted.sort_unstable();
    found.sort_unstable();
    (found, wanted)
}

/// Runs one schedule. Returns whether the index was added, and whether it was dropped.
fn run(seed: u64, by: By) -> Result<(bool, bool), String> {
    let calendar = Calendar::new();
    let world = World::new(seed, FAULTS);
    world.keep_time(calendar.clone(), MAX_REQUEST_AGE);
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let service = Unreliable::new(store, world.clone());
    let index = INDEXES[world.below(INDEXES.len())];
    // The registry starts with an old program that declares no index. The new program adds one of the indexes.
    let quiet = Tables::new(service.store().clone());
    for id in 0..u8::try_from(IDS).unwrap() {
        quiet.blocking().insert(&as_it_was(member(&world, id))).unwrap();
    }
    pollster::block_on(quiet.register::<old::Member>()).unwrap();
    let handle = |number: u64| {
        let tables = Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number);
        tables.register_entity::<Member>();
        by.handle(tables, &calendar)
    };
    let mover_handle = |number| {
        let tables = Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number);
        tables.register_entity::<Member>();
        tables.with_registry_by(Arc::new(calendar.clone()))
    };
    let came = Rc::new(Cell::new(false));
    for comes in [true, false] {
        let mut schedule = Schedule::new(&service, world.clone());
        if comes {
            schedule.client(old_client(handle(0), world.clone(), 12));
        }
        schedule.client(client(handle(1), world.clone(), 12));
        schedule.client(client(handle(2).with_deferred_updates(), world.clone(), 12));
        schedule.client(mover(mover_handle(3), world.clone(), calendar.clone(), index, comes));
        schedule.worker(settling(handle(4)));
        if comes {
            // A worker of the old version, which must leave commit records of the new version unapplied.
            let old = Tables::new(service.clone()).with_seeded_tokens(seed << 3 | 5);
            old.register_entity::<old::Member>();
            schedule.worker(settling(old));
        }
        schedule.run(|| {});
        let state = |tables: &Tables| {
            let states = pollster::block_on(tables.indexes::<Member>()).unwrap();
            states.iter().find(|status| status.index == index).map(|status| status.state)
        };
        let quiet = quiet.with_registry_by(Arc::new(calendar.clone()));
        quiet.register_entity::<Member>();
        if world.below(2) == 0 {
            Schedule::land_all(&service);
        } else {
            world.forget_late();
        }
        pollster::block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
        match (comes, state(&quiet)) {
            (true, Some(IndexState::Readable)) => {
                let (found, wanted) = given(&quiet, index);
                if found != wanted {
                    return Err(format!("{index} gives {found:?} of {wanted:?}"));
                }
                came.set(true);
            }
            (false, None) if came.get() => {
                let left: Vec<_> =
                    keys(service.store()).into_iter().filter(|key| is_row_of(index, key)).collect();
                if !left.is_empty() {
                    return Err(format!("{index} has left {left:?}"));
                }
                return Ok((true, true));
            }
            _ => {}
        }
    }
    Ok((came.get(), false))
}

#[test]
fn an_index_that_can_be_read_is_what_the_entities_say_and_one_that_went_is_gone() {
    let count = runs("SIMULATIONS", 200);
    let (mut came, mut went) = (0, 0);
    for seed in 0..count {
        match run(seed, By::Registry) {
            Ok((in_it, out)) => (came, went) = (came + u64::from(in_it), went + u64::from(out)),
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules: {came} indexes came in, {went} went");
    assert!(2 * came > count && 4 * went > count, "{came} came and {went} went in {count} schedules");
}

/// The registry is necessary: programs that ignore it leave a readable index with wrong content.
#[test]
fn programs_that_pass_the_registry_by_are_noticed() {
    assert!((0..1_000).any(|seed| run(seed, By::Nothing).is_err()));
}

/// The lease is necessary: programs that never refresh the registry states leave a readable index with wrong content.
#[test]
fn programs_that_go_by_what_they_read_long_ago_are_noticed() {
    assert!((0..1_000).any(|seed| run(seed, By::OldKnowledge).is_err()));
}

/// A clock that runs an action at a given number of reads.
#[derive(Clone)]
struct Interrupting {
    calendar: Calendar,
    left: Arc<AtomicU32>,
    act: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Interrupting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupting").finish_non_exhaustive()
    }
}

impl LeaseClock for Interrupting {
    fn now(&self) -> Duration {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        if left == 1 {
            (self.act)();
        }
        LeaseClock::now(&self.calendar)
    }
}

/// Adds an index after a write has read the registry states and before it is sent. Returns whether the clock was read
/// `left` times.
fn interrupted(index: &'static str, left: u32) -> bool {
    let calendar = Calendar::new();
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    pollster::block_on(Tables::new(store.clone()).register::<old::Member>()).unwrap();
    let mover = Tables::new(store.clone()).with_registry_by(Arc::new(calendar.clone()));
    let act = {
        let (mover, calendar) = (mover.clone(), calendar.clone());
        move || {
            let change = mover.add_index::<Member>(index);
            loop {
                match pollster::block_on(change.step()).unwrap() {
                    IndexStep::Done => break,
                    IndexStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
                    _ => {}
                }
            }
        }
    };
    let clock = Interrupting { calendar, left: Arc::default(), act: Arc::new(act) };
    let writer = Tables::new(store).with_registry_by(Arc::new(clock.clone()));
    let member = |id| Member { club: "c".into(), id, team: "a".into(), score: 1 };
    writer.blocking().insert(&member(0)).unwrap();
    clock.left.store(left, Ordering::Relaxed);
    writer.blocking().insert(&member(1)).unwrap();
    pollster::block_on(mover.catch_up()).unwrap();
    let is_interrupted = clock.left.load(Ordering::Relaxed) == 0;
    if is_interrupted {
        let (found, wanted) = given(&mover, index);
        assert_eq!(found, wanted, "{index} {left}");
    }
    is_interrupted
}

#[test]
fn write_slower_than_its_lease_is_regulated_anew() {
    for index in INDEXES {
        // The interruptions occur before the write reads the registry states, and before it is sent.
        let interruptions = (1..=3).filter(|left| interrupted(index, *left)).count();
        assert!(interruptions >= 2, "{index} {interruptions}");
    }
}
