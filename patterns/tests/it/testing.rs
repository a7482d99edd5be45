//! The parts of tests: time, ids, latency and faults.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_patterns::{
    prelude::*,
    testing::{Faults, TestClock, TestTables},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Rooms", partition = "{house}", row = "r_{number:04}")]
struct Room {
    house: String,
    number: u32,
    guest: Option<String>,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "wake")]
struct Wake {}

impl Run for Wake {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        tables.upsert(&room(tables.task_id().map_or(0, str::len).try_into().unwrap_or_default())).await?;
        Ok(Outcome::Done)
    }
}

fn room(number: u32) -> Room {
    Room { house: "a".into(), number, guest: None }
}

#[test]
fn time_moves_only_by_the_test() {
    let clock = TestClock::new("2030-01-01T00:00:00Z".parse().unwrap());
    let tables = TestTables::new().clock(&clock).open().unwrap();
    let first = tables.blocking().insert(&room(1)).unwrap();
    clock.advance(Duration::from_secs(3600));
    let second = tables.blocking().insert(&room(2)).unwrap();
    let between = second.timestamp.duration_since(first.timestamp);
    assert!(between <= Duration::from_secs(3600) && between > Duration::from_secs(3599));
}

#[test]
fn a_seed_repeats_the_ids() {
    let ids = || {
        let tables = TestTables::new().seed(7).open().unwrap();
        let send = || pollster::block_on(tables.send(&Wake {})).unwrap().id;
        [send(), send()]
    };
    let [first, second] = ids();
    assert_ne!(first, second);
    assert_eq!(ids(), [first, second]);
}

#[test]
fn the_nth_request_fails_and_the_others_do_not() {
    let faults = Faults::new();
    let tables = TestTables::new().faults(&faults).latency(Duration::from_micros(10)).open().unwrap();
    let b = tables.blocking();
    b.insert(&room(0)).unwrap();
    let before = faults.requests();
    faults.fail_nth(2, ErrorCode::ServerBusy);
    b.insert(&room(1)).unwrap();
    assert_eq!(b.insert(&room(2)).unwrap_err().code(), Some(ErrorCode::ServerBusy));
    b.insert(&room(3)).unwrap();
    assert_eq!(faults.requests() - before, 3);
    assert!(!b.exists(&Room::point("a", 2)).unwrap());

    faults.lose_nth(1);
    assert!(b.overwrite(&room(4)).unwrap_err().is_outcome_unknown());
    assert!(b.exists(&Room::point("a", 4)).unwrap());

    // The read is answered, and the response to the write is lost. No token in the row shows the outcome.
    faults.lose_nth(2);
    let updated = b.update(Room::point("a", 1), |room| room.guest = Some("Jo".into()));
    assert!(updated.is_err_and(|error| error.is_outcome_unknown()));
    faults.fail_nth(1, ErrorCode::ServerBusy);
    faults.clear();
    assert_eq!(b.get(&Room::point("a", 1)).unwrap().unwrap().guest.as_deref(), Some("Jo"));
}
