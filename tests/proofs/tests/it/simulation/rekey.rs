//! Entities move to other keys while programs of the old and the new type write them. Calls are late or lost, and
//! participants crash, in every state of the move, forward and back. After each call, each entity is in one place and
//! is the result of the operations so far; what a read returns was true during the read.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod cuts;
mod truth;
mod types;

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{
    MAX_REQUEST_AGE, Migration, MigrationStep, MoveState, OnePoint, RegistryError, prelude::*,
};
use table_proofs::simulation::{
    Calendar, Faults, Schedule, Unreliable, UnreliableQueues, World, pause, runs, settling,
};
use table_store::{Clock, MapStorage, OpenOptions, Store, Timestamp};

use super::registry_use::By;

use self::{
    truth::{Places, Truth, Value},
    types::{
        Case, across, far_across, far_shared, far_within, fed_across, fed_within, unique_across,
        unique_within, within,
    },
};

const FAULTS: Faults = Faults { lost: 25, undone: 10, late: 25, crash: 8, most: 4 };
const IDS: u8 = 3;
/// Longer than any run.
const YEARS: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 10);

type Known = Rc<RefCell<Truth>>;

/// Writes the old type directly, until the registry rejects it.
async fn old_client<E: Case>(tables: Tables, world: World, truth: Known, steps: usize) {
    for _ in 0..steps {
        let id = u8::try_from(world.below(IDS.into())).unwrap();
        let done = match world.below(3) {
            0 => {
                let score = truth.borrow_mut().replaces(None);
                tables.insert(&E::Old::from(E::new(id, score))).await.map(drop)
            }
            1 => match E::old_point(id).find(&tables).await {
                Ok(Some(stored)) => {
                    truth.borrow_mut().deleted.push(E::from((*stored).clone()).score());
                    tables.delete(&stored).await
                }
                other => other.map(drop),
            },
            _ => match E::old_point(id).find(&tables).await {
                Ok(Some(mut stored)) => {
                    let base = Some(E::from((*stored).clone()).score());
                    *stored = E::Old::from(E::new(id, truth.borrow_mut().replaces(base)));
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

/// Writes and reads by the new type.
async fn client<E: Case>(tables: Tables, world: World, truth: Known, steps: usize) {
    let entities = tables.moving::<E>();
    for _ in 0..steps {
        let id = u8::try_from(world.below(IDS.into())).unwrap();
        let (key, since) = (E::key_of(id), truth.borrow().begin(id));
        match world.below(6) {
            0 | 1 => {
                let score = truth.borrow_mut().replaces(None);
                let inserted = entities.insert(&E::new(id, score)).await;
                if inserted.is_err_and(|error| error.is_conflict()) {
                    truth.borrow_mut().check(id, since, "insert", |value| value.is_some());
                }
            }
            2 => {
                if let Ok(Some(stored)) = entities.get(&key).await {
                    truth.borrow_mut().deleted.push(stored.score());
                    drop(entities.delete(&stored).await);
                }
            }
            3 => {
                let Ok(Some(mut stored)) = entities.get(&key).await else { continue };
                let base = Some(stored.score());
                stored.set_score(truth.borrow_mut().replaces(base));
                drop(entities.replace(&stored).await);
            }
            4 => {
                if let Ok(found) = entities.get(&key).await {
                    let found = found.map(|stored| stored.score());
                    truth.borrow_mut().check(id, since, "read", |value| value == found);
                }
            }
            _ => {
                let all: Vec<_> = (0..IDS).map(|id| truth.borrow().begin(id)).collect();
                if let Ok(found) = entities.all(&E::old_range()).await {
                    let found: Vec<_> = found.into_iter().map(|one| (one.clone(), one.score())).collect();
                    for id in 0..IDS {
                        let ours = found.iter().filter(|(one, _)| {
                            one.key().address().unwrap() == E::key_of(id).address().unwrap()
                        });
                        let scores: Vec<_> = ours.map(|(_, score)| *score).collect();
                        let is_it = |value: Value| scores == value.into_iter().collect::<Vec<_>>();
                        truth.borrow_mut().check(
                            id,
                            all[usize::from(id)],
                            &format!("range {scores:?}"),
                            is_it,
                        );
                    }
                }
            }
        }
    }
}

/// Runs a move to a state. The registry stores the progress.
async fn mover<E: Case>(tables: Tables, world: World, calendar: Calendar, targets: Vec<MoveState>) {
    let migration = tables.migration::<E>().page_size(2);
    for target in targets {
        for _ in 0..60 {
            match migration.step_to(target).await {
                Ok(MigrationStep::Done) => break,
                Ok(MigrationStep::Wait(rest)) => {
                    // Other participants run while time passes.
                    for _ in 0..4 {
                        calendar.pass(rest / 4 + Duration::from_millis(1));
                        for _ in 0..world.below(20) {
                            pause().await;
                        }
                    }
                }
                Err(Error::Registry(error)) if matches!(*error, RegistryError::MoveState { .. }) => break,
                Ok(_) | Err(_) => pause().await,
            }
        }
    }
}

/// Result of a schedule.
#[derive(Default)]
struct Ran {
    /// The move ended while programs ran.
    ended: bool,
    /// Number of values of all entities.
    values: usize,
}

/// Runs the migration without faults.
fn finish<E: Case>(migration: &Migration<E>, calendar: &Calendar, target: MoveState) -> Result<(), String> {
    for _ in 0..200 {
        match block_on(migration.step_to(target)).map_err(|error| error.to_string())? {
            MigrationStep::Done => return Ok(()),
            MigrationStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => return Err(format!("stuck: {stuck:?}")),
            _ => {}
        }
    }
    Err(format!("the move does not reach {target}"))
}

/// After a complete move, a program that knows only the new type applies the commits that are left. Workers that
/// crashed may have left empty placeholder rows.
fn settle<E: Case>(store: &Store) -> Result<(), String> {
    let tables = Tables::new(store.clone());
    tables.register_entity::<E>();
    let pass = block_on(tables.catch_up()).map_err(|error| error.to_string())?;
    if (pass.left, pass.dead_lettered) != (0, 0) {
        return Err(format!("{pass:?}"));
    }
    let later = Tables::new(store.clone()).with_clock(|| Timestamp::now().saturating_add(YEARS));
    later.moving::<E>();
    let swept = block_on(later.sweep().run()).map_err(|error| error.to_string())?;
    if (swept.left, swept.followed, swept.failed) == (0, 0, 0) { Ok(()) } else { Err(format!("{swept:?}")) }
}

fn queues_of(world: &World, calendar: &Calendar) -> UnreliableQueues {
    let calendar = calendar.clone();
    UnreliableQueues::new(world.clone()).with_clock(move || Clock::now(&calendar))
}

/// Writes with a unique value in other partitions send wake-up messages.
fn with_queues<E: Case>(tables: Tables, queues: &UnreliableQueues, calendar: &Calendar) -> Tables {
    if !E::is_unique() {
        return tables;
    }
    let calendar = calendar.clone();
    tables.with_queues(queues.clone()).with_clock(move || Clock::now(&calendar))
}

fn run<E: Case>(seed: u64, by: By) -> Result<Ran, String> {
    use MoveState::{Both, Follow, Gone, New, Off};

    let calendar = Calendar::new();
    let world = World::new(seed, FAULTS);
    world.keep_time(calendar.clone(), MAX_REQUEST_AGE);
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let service = Unreliable::new(store, world.clone());
    let queues = queues_of(&world, &calendar);
    let connected = |tables| with_queues::<E>(tables, &queues, &calendar);
    let quiet = connected(Tables::new(service.store().clone()));
    // Queues without faults, before the run.
    let calm = queues_of(&World::new(seed, Faults::default()), &calendar);
    let before = with_queues::<E>(Tables::new(service.store().clone()), &calm, &calendar);
    let truth: Known = Rc::default();
    for id in 0..IDS {
        // The first scores have different badges.
        let value = (world.below(2) == 0).then(|| truth.borrow_mut().replaces(None));
        truth.borrow_mut().history.insert(id, vec![value]);
        if let Some(score) = value {
            before.blocking().insert(&E::Old::from(E::new(id, score))).unwrap();
        }
    }
    block_on(quiet.register::<E::Old>()).unwrap();
    block_on(quiet.register::<E>()).unwrap();
    let handle = |number: u64| {
        let tables = connected(Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number));
        // Half of the programs leave updates in other partitions to workers.
        let tables = if number.is_multiple_of(2) { tables.with_deferred_updates() } else { tables };
        by.handle(tables, &calendar)
    };
    let targets = match world.below(4) {
        0 => vec![Both, Follow, New],
        1 => vec![New, Follow, New],
        2 => vec![Follow, Off, New, Both, New],
        _ => vec![Gone],
    };
    let mover_handle = |number| {
        let tables = connected(Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number));
        tables.with_registry_by(Arc::new(calendar.clone()))
    };
    let last = *targets.last().unwrap();
    let mut schedule = Schedule::new(&service, world.clone());
    for number in [0, 1] {
        schedule.client(old_client::<E>(handle(number), world.clone(), Rc::clone(&truth), 10));
    }
    for number in [2, 3] {
        schedule.client(client::<E>(handle(number), world.clone(), Rc::clone(&truth), 16));
    }
    schedule.client(mover::<E>(mover_handle(4), world.clone(), calendar.clone(), targets));
    schedule.client(mover::<E>(mover_handle(5), world.clone(), calendar.clone(), vec![last]));
    if E::has_far() {
        // A process that only applies commits.
        let worker = handle(6);
        worker.moving::<E>();
        schedule.worker(settling(worker));
    }
    schedule.run(|| truth.borrow_mut().look(&Places::read::<E>(service.store())));
    Schedule::calm(&service, &world, world.below(2) == 0);
    truth.borrow_mut().look(&Places::read::<E>(service.store()));
    if let Some(wrong) = truth.borrow_mut().wrong.take() {
        return Err(wrong);
    }
    let quiet = quiet.with_registry_by(Arc::new(calendar.clone()));
    let migration = quiet.migration::<E>().page_size(2);
    let state = block_on(migration.status()).unwrap().map(|status| status.state);
    finish(&migration, &calendar, Gone)?;
    let stored = Places::read::<E>(service.store());
    truth.borrow_mut().look(&stored);
    if let Some(wrong) = truth.borrow_mut().wrong.take() {
        return Err(wrong);
    }
    settle::<E>(service.store())?;
    if let Some(left) = Places::read::<E>(service.store()).left() {
        return Err(left);
    }
    for id in 0..IDS {
        let found = block_on(quiet.moving::<E>().get(&E::key_of(id))).unwrap().map(|one| one.score());
        if found != truth.borrow().now(id) {
            return Err(format!("{id} is {found:?} at the end"));
        }
    }
    let report = block_on(quiet.verify::<E>().run()).map_err(|error| error.to_string())?;
    if !report.is_clean() {
        return Err(report.to_string());
    }
    let values = truth.borrow().history.values().map(Vec::len).sum();
    Ok(Ran { ended: state >= Some(New), values })
}

fn all<E: Case>(name: &str) {
    let count = runs("SIMULATIONS", 100);
    let first = runs("FIRST_SEED", 0);
    let (mut ended, mut values) = (0, 0);
    for seed in first..first + count {
        match run::<E>(seed, By::Registry) {
            Ok(ran) => (ended, values) = (ended + u64::from(ran.ended), values + ran.values),
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{name}: {count} schedules, {ended} moves ended while programs ran, {values} values");
    assert!(4 * ended > count && values as u64 > 5 * count, "{ended} moves, {values} values");
}

#[test]
fn entities_move_to_another_table_while_programs_run() {
    all::<across::New>("another table");
}

#[test]
fn entities_move_within_their_partition_while_programs_run() {
    all::<within::New>("the same partition");
}

#[test]
fn entities_move_with_index_rows_in_other_partitions() {
    all::<far_across::New>("rows of their own");
}

#[test]
fn entities_move_whose_index_rows_stay_in_place() {
    all::<far_shared::New>("the same rows");
}

#[test]
fn entities_move_within_their_partition_whose_index_rows_stay_in_place() {
    all::<far_within::New>("the same rows, within a partition");
}

#[test]
fn entities_with_unique_values_in_other_partitions_move() {
    all::<unique_across::New>("unique values");
}

#[test]
fn entities_with_unique_values_in_other_partitions_move_within_their_partition() {
    all::<unique_within::New>("unique values, within a partition");
}

#[test]
fn entities_with_a_change_feed_move() {
    all::<fed_across::New>("change feeds");
}

#[test]
fn entities_with_a_change_feed_move_within_their_partition() {
    all::<fed_within::New>("change feeds, within a partition");
}

/// The lease is necessary: programs that never refresh the registry states lose entities.
#[test]
fn programs_that_ignore_the_lease_are_noticed() {
    assert!((0..500).any(|seed| run::<across::New>(seed, By::OldKnowledge).is_err()));
}
