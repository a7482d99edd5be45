//! Several clients on one series (P9): merges of slots never conflict, and `update` counts every addition.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::cell::RefCell;

use table_patterns::prelude::*;
use table_store::OpenOptions;
use table_tests::{
    counting::{Calls, Counting},
    schedule::{Client, Crashes, run},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Messages", partition = "{employee}", row = "day")]
struct Messages {
    employee: String,
    #[table(series)]
    hours: [Option<i64>; 24],
}

const CLIENTS: usize = 5;
const ROUNDS: i64 = 6;

/// Each client sets its own slot from 0 on; all clients add to the last.
const SHARED: usize = 23;

fn point() -> table_patterns::PointQuery<Messages> {
    Messages::point("jonesj")
}

/// The kind of an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adding {
    /// Read, change, replace if the version is unchanged.
    Update,
    /// Read, then merge without a version: concurrent additions of other clients are lost.
    Blindly,
}

async fn client(tables: &Tables, number: usize, adding: Adding, sure: &RefCell<(i64, i64)>) {
    for round in 1..=ROUNDS {
        // Setting a slot can be repeated until a response is received.
        while tables.upsert_merge(Messages::patch("jonesj").hours(number, round)).await.is_err() {}
        let added = match adding {
            Adding::Update => {
                let add = |day: &mut Messages| *day.hours[SHARED].get_or_insert(0) += 1;
                tables.update(point(), add).await.map(|_| ())
            }
            Adding::Blindly => {
                async {
                    let Some(day) = point().get(tables).await? else { return Ok(()) };
                    let sum = day.hours[SHARED].unwrap_or(0) + 1;
                    tables.merge(Messages::patch("jonesj").hours(SHARED, sum)).await.map(|_| ())
                }
                .await
            }
        };
        let mut sure = sure.borrow_mut();
        match added {
            Ok(()) => sure.0 += 1,
            // An addition without a response may have been executed.
            Err(_) => sure.1 += 1,
        }
    }
}

/// Returns the error of one run, if any.
fn trial(number: u64, adding: Adding) -> Option<String> {
    let seed = Seed::new(number);
    let store = OpenOptions::new().in_memory().unwrap();
    let calm = Tables::new(store.clone());
    let faults = Faults { refused: 40, lost: 40, ..Faults::NONE };
    let tables = Tables::new(Unreliable::new(store, seed.fork(1), faults)).with_seeded_tokens(number);
    let additions = RefCell::new((0, 0));
    let begin = |number, _| -> Client<'_> { Box::pin(client(&tables, number, adding, &additions)) };
    run(seed.fork(2), CLIENTS, Crashes::default(), begin, || {});

    let day = calm.blocking().get(&point()).unwrap().unwrap();
    let (heard, unheard) = additions.into_inner();
    let sum = day.hours[SHARED].unwrap_or(0);
    let set = day.hours[..CLIENTS].iter().all(|slot| *slot == Some(ROUNDS));
    let is_sum = (heard..=heard + unheard).contains(&sum);
    (!set || !is_sum).then(|| format!("{day:?}: {heard} to {} additions", heard + unheard))
}

#[test]
fn slots_keep_what_was_set_and_sums_are_exact() {
    for seed in 0..100 {
        assert_eq!(trial(seed, Adding::Update), None, "seed {seed}");
    }
}

#[test]
fn additions_by_merge_are_found_to_be_lost() {
    assert!((0..100).any(|seed| trial(seed, Adding::Blindly).is_some()));
}

#[test]
fn each_call_costs_what_the_guide_says() {
    pollster::block_on(async {
        let counting = Counting::new(OpenOptions::new().in_memory().unwrap());
        let tables = Tables::new(counting.clone());
        tables.create::<Messages>().await.unwrap();
        counting.take();
        tables.upsert_merge(Messages::patch("jonesj").hours(3, 1)).await.unwrap();
        let first = Calls { writes: 1, finds: 1, transactions: 1, ..Calls::default() };
        assert_eq!(counting.take(), first, "a merge, which finds no entity; a read; an insert");
        tables.upsert_merge(Messages::patch("jonesj").hours(3, 2)).await.unwrap();
        tables.merge(Messages::patch("jonesj").hours(4, 1).hours(5, 1)).await.unwrap();
        assert_eq!(counting.take(), Calls { writes: 2, ..Calls::default() });
        tables.update(point(), |day| *day.hours[4].get_or_insert(0) += 1).await.unwrap();
        assert_eq!(counting.take(), Calls { finds: 1, writes: 1, ..Calls::default() });
        assert_eq!(point().get(&tables).await.unwrap().unwrap().hours[4], Some(2));
        assert_eq!(counting.take(), Calls { finds: 1, ..Calls::default() });
    });
}
