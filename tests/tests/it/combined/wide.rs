//! Wide entities whose parts are added and removed concurrently with patches.

use std::cell::RefCell;

use table_patterns::prelude::*;
use table_store::OpenOptions;
use table_tests::{
    schedule::{Client, Crashes, run},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

/// Four parts of two properties.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sheets", partition = "{id}", row = "sheet_{part:02}", wide = 2)]
struct Sheet {
    id: String,
    generation: i64,
    left: Option<i64>,
    one: Option<i64>,
    right: Option<i64>,
    two: Option<i64>,
    pair: Option<i64>,
    three: Option<i64>,
    twin: Option<i64>,
}

fn sheet(generation: i64) -> Sheet {
    let in_part = |part: i64| (generation >> part & 1 == 1).then_some(generation);
    Sheet {
        id: "a".into(),
        generation,
        left: None,
        one: in_part(0),
        right: None,
        two: in_part(1),
        pair: None,
        three: in_part(2),
        twin: None,
    }
}

/// Returns the inconsistency of a state, if any.
fn wrong(read: &Sheet) -> Option<String> {
    let whole = sheet(read.generation);
    let is_whole = (read.one, read.two, read.three) == (whole.one, whole.two, whole.three);
    (!is_whole || read.left != read.right || read.pair != read.twin).then(|| format!("{read:?}"))
}

async fn client(tables: &Tables, mut dice: Seed, next: &RefCell<i64>, found: &RefCell<Option<String>>) {
    let point = || Sheet::point("a");
    for _ in 0..14 {
        let number = {
            let mut next = next.borrow_mut();
            *next += 1;
            *next
        };
        match dice.below(9) {
            0 => drop(tables.upsert(&sheet(number)).await),
            1 => drop(tables.replace_any(&sheet(number)).await),
            2 => drop(tables.update(point(), |old| *old = sheet(number)).await),
            3 => drop(tables.delete_at(point()).await),
            4 => drop(tables.insert(&sheet(number)).await),
            5 => drop(tables.merge(Sheet::patch("a").left(number).right(number)).await),
            6 => drop(tables.merge(Sheet::patch("a").pair(number).twin(number)).await),
            7 => {
                if let Ok(Some(read)) = point().get(tables).await {
                    let patch = read.patch().left(number).right(number);
                    drop(tables.merge(patch.pair(number).twin(number)).await);
                }
            }
            _ => {
                if let Ok(Some(read)) = point().get(tables).await
                    && let Some(wrong) = wrong(&read)
                {
                    found.borrow_mut().get_or_insert(wrong);
                }
            }
        }
    }
}

fn trial(number: u64) -> Option<String> {
    let seed = Seed::new(number);
    let store = OpenOptions::new().in_memory().unwrap();
    let calm = Tables::new(store.clone());
    let faults = Faults { refused: 20, lost: 40, late: 40, short: 600 };
    let service = Unreliable::new(store, seed.fork(1), faults);
    let tables = Tables::new(service.clone()).with_seeded_tokens(number);
    calm.blocking().insert(&sheet(1)).unwrap();
    let (next, found) = (RefCell::new(1), RefCell::new(None));
    let begin = |client: usize, crashes| -> Client<'_> {
        client_of(&tables, seed.fork(10 + client as u64 + 100 * crashes), &next, &found)
    };
    run(seed.fork(2), 5, Crashes { of_a_thousand: 10 }, begin, || {});
    service.calm();
    let read = calm.blocking().get(&Sheet::point("a"));
    match read {
        Ok(read) => {
            if let Some(wrong) = read.and_then(|read| wrong(&read)) {
                found.borrow_mut().get_or_insert(wrong);
            }
        }
        Err(error) => return Some(error.to_string()),
    }
    // It can also be replaced again.
    calm.blocking().upsert(&sheet(7)).unwrap();
    assert_eq!(*calm.blocking().get(&Sheet::point("a")).unwrap().unwrap(), sheet(7));
    found.into_inner()
}

fn client_of<'c>(
    tables: &'c Tables,
    dice: Seed,
    next: &'c RefCell<i64>,
    found: &'c RefCell<Option<String>>,
) -> Client<'c> {
    Box::pin(client(tables, dice, next, found))
}

#[test]
fn wide_parts_agree_beside_any_writes() {
    for seed in 0..40 {
        assert_eq!(trial(seed), None, "seed {seed}");
    }
}
