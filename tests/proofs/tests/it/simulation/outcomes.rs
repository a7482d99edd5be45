//! Writes whose responses are lost: the write takes effect, fails, or takes effect later. The result that a method
//! returns is correct, or reports an unknown outcome. No write takes effect twice.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use pollster::block_on;
use table_patterns::{WriteResult, prelude::*};
use table_proofs::simulation::{Fate, Faults, Schedule, Unreliable, World, runs};
use table_store::{MapStorage, OpenOptions};

/// An entity without other rows, so no row can store an attempt token.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Plain", partition = "{shelf}", row = "{id:03}")]
struct Plain {
    shelf: String,
    id: u16,
    count: i32,
    note: i32,
}

/// An entity with an index row in its partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Near", partition = "{shelf}", row = "n_{id:03}")]
#[table(index(by_count, row = "c_{count:04}_{id:03}", copy()))]
struct Near {
    shelf: String,
    id: u16,
    count: i32,
    note: i32,
}

/// An entity with an index row in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Far", partition = "{shelf}", row = "f_{id:03}")]
#[table(index(by_count, partition = "count_{count:04}", row = "{shelf}_{id:03}", copy()))]
struct Far {
    shelf: String,
    id: u16,
    count: i32,
    note: i32,
}

const FAULTS: Faults = Faults { lost: 60, undone: 40, late: 60, crash: 0, most: 5 };

/// The result of a write, as its caller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    Refused,
    Unknown,
}

fn end<T>(result: &Result<T>) -> End {
    match result {
        Ok(_) => End::Done,
        Err(error) if error.is_outcome_unknown() => End::Unknown,
        Err(_) => End::Refused,
    }
}

/// The results that all clients received.
#[derive(Debug, Default)]
struct Told {
    inserted: BTreeMap<u16, End>,
    deleted: BTreeMap<u16, Vec<End>>,
    added: Vec<End>,
}

macro_rules! program {
    ($entity:ident, $client:ident, $left:ident) => {
        /// Runs one client. It inserts entities with keys that no other client inserts, deletes entities of both
        /// clients, and increments a counter.
        async fn $client(tables: Tables, world: World, own: u16, told: Rc<RefCell<Told>>) {
            for step in 0..5 {
                let id = if world.below(2) == 0 { own } else { 300 - own } + step;
                match world.below(5) {
                    0 | 1 => {
                        let id = own + step;
                        let entity = $entity { shelf: "s".into(), id, count: 1, note: 0 };
                        let ended = end(&tables.insert(&entity).await);
                        told.borrow_mut().inserted.insert(id, ended);
                    }
                    2 => {
                        let Ok(Some(stored)) = $entity::point("s", id).get(&tables).await else { continue };
                        let ended = end(&tables.delete(&stored).await);
                        told.borrow_mut().deleted.entry(id).or_default().push(ended);
                    }
                    3 => drop(tables.merge($entity::patch("s", 0).note(i32::from(step))).await),
                    _ => {
                        let point = $entity::point("s", 0u16);
                        let ended = end(&tables.update(point, |entity| entity.count += 1).await);
                        told.borrow_mut().added.push(ended);
                    }
                }
            }
        }

        /// Returns the ids and the counter in the final state.
        fn $left(tables: &Tables) -> (BTreeSet<u16>, i32) {
            let all = block_on($entity::rows("s").all(tables)).unwrap();
            let count = all.iter().find(|entity| entity.id == 0).map_or(0, |entity| entity.count);
            (all.iter().map(|entity| entity.id).filter(|id| *id != 0).collect(), count)
        }
    };
}

program!(Plain, plain, plain_left);
program!(Near, near, near_left);
program!(Far, far, far_left);

/// Fails if the final state contradicts the results that clients received.
fn judge(told: &Told, left: &BTreeSet<u16>, count: i32) -> std::result::Result<(), String> {
    for (id, inserted) in &told.inserted {
        let deleted = told.deleted.get(id).map(Vec::as_slice).unwrap_or_default();
        let is_there = left.contains(id);
        let ways = |end| deleted.iter().filter(|ended| **ended == end).count();
        if is_there && (*inserted == End::Refused || ways(End::Done) > 0) {
            return Err(format!("{id} is there: inserted {inserted:?}, deleted {deleted:?}"));
        }
        if !is_there && *inserted == End::Done && ways(End::Done) + ways(End::Unknown) == 0 {
            return Err(format!("{id} is not there: deleted {deleted:?}"));
        }
        if ways(End::Done) > 1 {
            return Err(format!("{id} was deleted twice"));
        }
    }
    let ways = |end| i32::try_from(told.added.iter().filter(|ended| **ended == end).count()).unwrap();
    let (least, most) = (ways(End::Done), ways(End::Done) + ways(End::Unknown));
    if count < least || count > most {
        return Err(format!("{count}, not between {least} and {most}"));
    }
    Ok(())
}

/// Runs one schedule. Returns the number of writes with an unknown outcome.
fn run(seed: u64) -> std::result::Result<usize, String> {
    let world = World::new(seed, FAULTS);
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let quiet = Tables::new(store.clone());
    let (shelf, id, count, note) = ("s".to_owned(), 0, 0, 0);
    block_on(quiet.insert(&Plain { shelf: shelf.clone(), id, count, note })).unwrap();
    block_on(quiet.insert(&Near { shelf: shelf.clone(), id, count, note })).unwrap();
    block_on(quiet.insert(&Far { shelf, id, count, note })).unwrap();
    let service = Unreliable::new(store, world.clone());
    let told = Rc::new(RefCell::new(Told::default()));
    let mut schedule = Schedule::new(&service, world.clone());
    for own in [100, 200] {
        let tables = Tables::new(service.clone()).with_seeded_tokens(seed << 8 | u64::from(own));
        let tables = if own == 100 { tables.with_deferred_updates() } else { tables };
        let (world, told) = (world.clone(), told.clone());
        match seed % 3 {
            0 => schedule.client(plain(tables, world, own, told)),
            1 => schedule.client(near(tables, world, own, told)),
            _ => schedule.client(far(tables, world, own, told)),
        }
    }
    schedule.run(|| ());
    world.calm();
    Schedule::land_all(&service);
    block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    let (left, count) = match seed % 3 {
        0 => plain_left(&quiet),
        1 => near_left(&quiet),
        _ => far_left(&quiet),
    };
    let told = told.borrow();
    judge(&told, &left, count)?;
    let ends = told.inserted.values().chain(told.deleted.values().flatten()).chain(&told.added);
    Ok(ends.filter(|end| **end == End::Unknown).count())
}

#[test]
fn what_is_said_of_a_write_is_so() {
    let (mut unknown, count) = (0, runs("SIMULATIONS", 450));
    for seed in 0..count {
        match run(seed) {
            Ok(some) => unknown += some,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {unknown} writes not known");
    assert!(unknown > 0);
}

/// Calls one method without concurrent writers. Its first writes have the given outcomes, and its entity exists.
fn alone<T>(
    fates: &[Fate],
    verb: impl AsyncFnOnce(&Tables) -> Result<T>,
) -> (Result<T>, Tables, Unreliable, World) {
    let world = World::new(1, Faults::default());
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let quiet = Tables::new(store.clone()).with_seeded_tokens(2);
    let (shelf, id, count, note) = ("s".to_owned(), 1, 1, 0);
    block_on(quiet.insert(&Plain { shelf: shelf.clone(), id, count, note })).unwrap();
    block_on(quiet.insert(&Near { shelf: shelf.clone(), id, count, note })).unwrap();
    block_on(quiet.insert(&Far { shelf, id, count, note })).unwrap();
    let service = Unreliable::new(store, world.clone());
    let tables = Tables::new(service.clone()).with_seeded_tokens(3);
    let mut result = None;
    let mut schedule = Schedule::new(&service, world.clone());
    let fates = fates.to_vec();
    schedule.client(async {
        world.plan(fates);
        result = Some(verb(&tables).await);
    });
    schedule.run(|| ());
    (result.unwrap(), quiet, service, world)
}

async fn grow_near(tables: &Tables) -> Result<WriteResult> {
    let mut near = Near::point("s", 1).get(tables).await?.unwrap();
    near.count = 2;
    tables.replace(&near).await
}

async fn grow_far(tables: &Tables) -> Result<WriteResult> {
    let mut far = Far::point("s", 1).get(tables).await?.unwrap();
    far.count = 2;
    tables.replace(&far).await
}

#[test]
fn a_replace_whose_answer_was_lost_is_found_by_its_token() {
    for fate in [Fate::Lost, Fate::Undone, Fate::Late] {
        let (written, quiet, service, _) = alone(&[fate], grow_near);
        let now = block_on(Near::point("s", 1).get(&quiet)).unwrap().unwrap();
        assert_eq!((now.count, now.etag()), (2, &written.unwrap().etag), "{fate:?}");
        Schedule::land_all(&service);
        let later = block_on(Near::point("s", 1).get(&quiet)).unwrap().unwrap();
        assert_eq!(later.etag(), now.etag(), "the copy that was late lands in vain");
    }
}

#[test]
fn an_insert_that_was_not_done_is_not_sent_again() {
    let insert =
        async |tables: &Tables| tables.insert(&Far { shelf: "s".into(), id: 2, count: 1, note: 0 }).await;
    for (fate, is_there) in [(Fate::Lost, true), (Fate::Undone, false), (Fate::Late, false)] {
        let (written, quiet, service, _) = alone(&[fate], insert);
        assert_eq!(written.is_ok(), is_there, "{fate:?}: {written:?}");
        assert!(written.is_ok() || matches!(&written, Err(Error::OutcomeUnknown(_))), "{written:?}");
        // The abort record rejects the late request permanently.
        Schedule::land_all(&service);
        let now = block_on(Far::point("s", 2).get(&quiet)).unwrap();
        assert_eq!(now.is_some(), is_there, "{fate:?}");
    }
}

/// Writes an existing entity without a version, in each form that a program can send.
async fn write_blindly(tables: &Tables, form: usize) -> Result<()> {
    let plain = || Plain { shelf: "s".into(), id: 1, count: 1, note: 7 };
    match form {
        0 => tables.merge(Plain::patch("s", 1).note(7)).await.map(drop),
        1 => tables.overwrite(&plain()).await.map(drop),
        2 => tables.transact().overwrite(&plain()).commit().await.map(drop),
        3 => tables.bulk().overwrite(&plain()).run().await?.into_result().map(drop),
        4 => tables.transact().merge(Plain::patch("s", 1).note(7)).commit().await.map(drop),
        5 => tables.bulk().merge(Plain::patch("s", 1).note(7)).run().await?.into_result().map(drop),
        _ => tables.delete_at(Plain::point("s", 1)).await,
    }
}

#[test]
fn blind_writes_are_not_sent_again() {
    for (form, fate) in
        (0..7).flat_map(|form| [Fate::Lost, Fate::Undone, Fate::Late].map(|fate| (form, fate)))
    {
        let (written, quiet, service, _) = alone(&[fate], async |tables| write_blindly(tables, form).await);
        let error = written.unwrap_err();
        assert!(error.is_outcome_unknown(), "form {form}, {fate:?}: {error}");
        let found =
            |quiet: &Tables| block_on(Plain::point("s", 1).get(quiet)).unwrap().map(|plain| plain.note);
        let is_done = |note: Option<i32>| note != Some(0);
        assert_eq!(is_done(found(&quiet)), fate == Fate::Lost, "form {form}, {fate:?}");
        // Only the late copy takes effect later.
        Schedule::land_all(&service);
        assert_eq!(is_done(found(&quiet)), fate != Fate::Undone, "form {form}, {fate:?}");
    }
}

#[test]
fn unknown_outcomes_name_the_remedy() {
    let merge = async |tables: &Tables| tables.merge(Plain::patch("s", 1).note(7)).await;
    let (merged, ..) = alone(&[Fate::Lost], merge);
    let text = merged.unwrap_err().to_string();
    assert!(text.contains("`tables.merge(stored.patch()..)`"), "{text}");
}

#[test]
fn what_has_no_token_is_not_known_once_its_version_is_gone() {
    let (replaced, ..) = alone(&[Fate::Lost], async |tables| {
        let mut plain = Plain::point("s", 1).get(tables).await?.unwrap();
        plain.count = 2;
        tables.replace(&plain).await
    });
    let Err(Error::OutcomeUnknown(unknown)) = replaced else { panic!("{replaced:?}") };
    assert_eq!((unknown.token.as_deref(), unknown.address.row_key()), (None, "001"));
    assert!(unknown.error.is_outcome_unknown());
}

#[test]
fn a_write_that_no_answer_ever_comes_to_ends() {
    let (written, quiet, ..) = alone(&[Fate::Undone; 40], grow_far);
    assert!(written.is_err_and(|error| error.is_outcome_unknown()));
    assert_eq!(block_on(Far::point("s", 1).get(&quiet)).unwrap().unwrap().count, 1);
}
