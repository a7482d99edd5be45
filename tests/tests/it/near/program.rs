//! Random programs of all write functions by several clients on few keys.

use std::cell::Cell;

use table_patterns::{Error, TransactionError, prelude::*};
use table_store::{ErrorCode, OpenOptions, Store, TableService, Value};
use table_tests::{
    schedule::{self, Client, Crashes, Ran},
    seed::Seed,
    unreliable::{Befell, Faults, Unreliable},
};

use super::{partition, staff::Staff};

/// Parameters of a program.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) clients: usize,
    pub(crate) verbs: usize,
    pub(crate) faults: Faults,
    pub(crate) crashes: Crashes,
    /// `true` if the list of one city has room for one more member only.
    pub(crate) is_crowded: bool,
}

/// Few write functions that often conflict, and all faults.
pub(crate) const SMALL: Size = Size {
    clients: 3,
    verbs: 8,
    faults: Faults::SOME,
    crashes: Crashes { of_a_thousand: 10 },
    is_crowded: false,
};

/// More clients, without faults.
pub(crate) const CALM: Size = Size {
    clients: 4,
    verbs: 25,
    faults: Faults::NONE,
    crashes: Crashes { of_a_thousand: 0 },
    is_crowded: false,
};

/// Result of a program.
pub(crate) struct Outcome {
    pub(crate) ran: Ran,
    pub(crate) befell: Befell,
    pub(crate) done: u64,
    pub(crate) mended: u64,
    /// The first inconsistent state.
    pub(crate) mistakes: Vec<String>,
}

/// Runs the program of a seed on an empty store, wrapped by `wrap`.
pub(crate) fn run<S: TableService + 'static>(
    seed: u64,
    size: Size,
    wrap: impl FnOnce(Store) -> S,
) -> Outcome {
    let seed = Seed::new(seed);
    let store = OpenOptions::new().in_memory().unwrap();
    if size.is_crowded {
        partition::crowd(&store);
    }
    let service = Unreliable::new(wrap(store), seed.fork(1), size.faults);
    let tables = Tables::new(service.clone()).with_seeded_tokens(seed.fork(2).draw());
    let (done, mended) = (Cell::new(0), Cell::new(0));
    let mut mistakes = Vec::new();
    let ran = schedule::run(
        seed.fork(3),
        size.clients,
        size.crashes,
        |number, life| -> Client<'_> {
            let mut seed = seed.fork(100 + number as u64).fork(life);
            let (tables, done, mended) = (&tables, &done, &mended);
            Box::pin(async move {
                for _ in 0..size.verbs {
                    match verb(tables, &mut seed).await {
                        Ok(more) => {
                            done.set(done.get() + 1);
                            mended.set(mended.get() + more);
                        }
                        Err(error) => assert!(is_expected(&error), "{error}: {error:?}"),
                    }
                }
            })
        },
        || {
            if mistakes.is_empty() {
                mistakes = partition::mistakes(&partition::read(service.below()));
            }
        },
    );
    Outcome { ran, befell: service.befell(), done: done.get(), mended: mended.get(), mistakes }
}

/// Returns an entity with random values from small sets.
fn random(seed: &mut Seed) -> Staff {
    let mut staff = Staff::new(u8::try_from(seed.below(4)).unwrap());
    change(&mut staff, seed);
    staff
}

fn change(staff: &mut Staff, seed: &mut Seed) {
    let word = |words: &[&str], seed: &mut Seed| words[seed.below(words.len())].to_owned();
    if seed.chance(1, 2) {
        staff.mail = format!("m{}", seed.below(5));
    }
    if seed.chance(1, 2) {
        staff.desk = seed.chance(1, 2).then(|| u8::try_from(seed.below(2)).unwrap());
    }
    if seed.chance(1, 2) {
        staff.name = word(&["Jones", "Smith"], seed);
    }
    if seed.chance(1, 2) {
        staff.city = seed.chance(3, 4).then(|| word(&["Oslo", "Rome"], seed));
    }
    staff.gone = seed.chance(1, 3);
    staff.age = [30, 31, 32][seed.below(3)];
}

/// Runs one write. Returns the number of repaired rows.
async fn verb(tables: &Tables, seed: &mut Seed) -> Result<u64> {
    let new = random(seed);
    let point = Staff::point("Blue", new.id);
    let by_mail = Staff::by_mail("Blue", &new.mail);
    let written = match seed.below(14) {
        0 | 1 => Some(tables.insert(&new).await?),
        2 => Some(tables.upsert(&new).await?),
        3 => Some(tables.replace_any(&new).await?),
        4 | 5 => {
            let mut changes = seed.fork(7);
            tables.update(point, |staff| change(staff, &mut changes)).await?;
            None
        }
        6 => match by_mail.get(tables).await? {
            Some(mut found) => {
                change(&mut found, seed);
                Some(tables.replace(&found).await?)
            }
            None => None,
        },
        7 => match point.get(tables).await? {
            Some(found) => Some(tables.merge(found.patch().age(new.age)).await?),
            None => None,
        },
        8 => {
            tables.delete_at(point).await?;
            None
        }
        9 => {
            tables.delete_if_exists(by_mail).await?;
            None
        }
        10 => {
            if let Some(found) = by_mail.get(tables).await? {
                tables.delete(&found).await?;
            }
            None
        }
        11 => {
            let mut transaction = tables.transact().upsert(&new);
            let other = random(seed);
            if other.id != new.id {
                transaction = transaction.insert(&other);
            }
            transaction.commit().await?;
            None
        }
        12 => {
            let entities = [new, random(seed), random(seed)];
            let report = tables.bulk().upsert_all(&entities).run().await?;
            for group in report.failed() {
                if let Err(error) = &group.outcome {
                    assert!(is_expected(error), "{error}");
                }
            }
            None
        }
        _ => match point.get(tables).await? {
            Some(mut found) => {
                found.id = u8::try_from(seed.below(4)).unwrap();
                tables.rekey(&found).await?;
                None
            }
            None => None,
        },
    };
    Ok(written.map_or(0, |written| written.repaired_indexes.len() as u64))
}

/// Returns whether the error is allowed with concurrent writers and faults; any other error is a bug of the library.
fn is_expected(error: &Error) -> bool {
    let by_service = matches!(
        error.code(),
        Some(
            ErrorCode::ServerBusy
                | ErrorCode::OperationTimedOut
                | ErrorCode::EntityAlreadyExists
                | ErrorCode::ResourceNotFound
                | ErrorCode::TableNotFound
                | ErrorCode::UpdateConditionNotSatisfied
        )
    );
    // Two entities of one transaction, of which one takes over a key of the other.
    let same_row =
        matches!(error, Error::Transaction(error) if matches!(**error, TransactionError::SameEntity { .. }));
    by_service || same_row
}

/// Returns the seeds: the requested range, or `most` seeds from 0.
fn seeds(most: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("NEAR_SEEDS").ok();
    let asked = asked.as_deref().and_then(|text| text.split_once(".."));
    asked.map_or(0..most, |(from, to)| from.parse().unwrap()..to.parse().unwrap())
}

fn all_hold(size: Size, seeds: std::ops::Range<u64>) {
    let (mut steps, mut crashes, mut done, mut befell) = (0, 0, 0, Befell::default());
    for seed in seeds.clone() {
        let outcome = run(seed, size, |store| store);
        assert!(outcome.mistakes.is_empty(), "NEAR_SEEDS={seed}..{}: {:#?}", seed + 1, outcome.mistakes);
        assert_eq!(outcome.mended, 0, "NEAR_SEEDS={seed}..{}: there was nothing to mend", seed + 1);
        steps += outcome.ran.steps;
        crashes += outcome.ran.crashes;
        done += outcome.done;
        befell.refused += outcome.befell.refused;
        befell.lost += outcome.befell.lost;
        befell.landed_late += outcome.befell.landed_late;
    }
    println!("{} schedules, {steps} states, {done} verbs done, {crashes} crashes, {befell:?}", seeds.count());
}

#[test]
fn copies_and_lists_are_what_the_entities_say_in_every_state() {
    all_hold(SMALL, seeds(150));
}

#[test]
fn they_are_among_more_clients_that_never_fail() {
    all_hold(CALM, seeds(40));
}

#[test]
fn they_are_where_a_list_outgrows_its_row() {
    all_hold(Size { is_crowded: true, ..SMALL }, seeds(40));
}

#[test]
fn no_raise_is_lost_by_whichever_key_it_went() {
    for seed in seeds(40) {
        let seed = Seed::new(seed);
        let store = OpenOptions::new().in_memory().unwrap();
        let service = Unreliable::new(store, seed.fork(1), Faults::NONE);
        let tables = Tables::new(service.clone()).with_seeded_tokens(seed.fork(2).draw());
        let raised = Cell::new(0);
        schedule::run(
            seed.fork(3),
            4,
            Crashes::default(),
            |number, _| -> Client<'_> {
                let mut seed = seed.fork(100 + number as u64);
                let (tables, raised) = (&tables, &raised);
                Box::pin(async move {
                    // One of the clients is first.
                    drop(tables.insert(&Staff { age: 0, ..Staff::new(1) }).await);
                    for _ in 0..6 {
                        if seed.chance(1, 3) {
                            tables.update(Staff::point("Blue", 1), |staff| staff.age += 1).await.unwrap();
                            raised.set(raised.get() + 1);
                            continue;
                        }
                        let mut found = Staff::by_mail("Blue", "m1").get(tables).await.unwrap().unwrap();
                        found.age += 1;
                        match tables.replace(&found).await {
                            Ok(_) => raised.set(raised.get() + 1),
                            Err(error) => assert!(error.is_conflict(), "{error}"),
                        }
                    }
                })
            },
            || {},
        );
        let rows = partition::read(service.below());
        assert_eq!(rows["id_01"]["age"], Value::from(raised.get()));
    }
}
