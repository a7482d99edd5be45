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

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "guests", poison_after = 100)]
struct Check {
    number: u32,
}

impl Run for Check {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        tables.upsert(&room(self.number)).await?;
        Ok(Outcome::Done)
    }
}

#[test]
fn tasks_complete_although_requests_to_queues_fail() {
    let (clock, faults) = (TestClock::new("2030-01-01T00:00:00Z".parse().unwrap()), Faults::new());
    let tables = TestTables::new().clock(&clock).queue_faults(&faults).seed(7).open().unwrap();
    pollster::block_on(async {
        faults.fail_nth(1, ErrorCode::AuthenticationFailed);
        let error = tables.send(&Check { number: 0 }).await.unwrap_err();
        assert_eq!(error.code(), Some(ErrorCode::AuthenticationFailed));
        for number in 1..=20 {
            tables.send(&Check { number }).await.unwrap();
        }
        faults.one_in(3, 11);
        let worker = tables.worker().on::<Check>();
        let (mut failed, mut passes) = (0, 0);
        while Room::rows("a").count(&tables).await.unwrap() < 20 {
            failed += u32::from(worker.pass().await.is_err());
            clock.advance(Duration::from_secs(600));
            passes += 1;
            assert!(passes < 1000, "the tasks do not end");
        }
        assert!(failed > 0);
    });
}

#[test]
fn a_lost_response_of_a_queue_repeats_a_task() {
    let faults = Faults::new();
    let tables = TestTables::new().queue_faults(&faults).open().unwrap();
    pollster::block_on(async {
        tables.send(&Check { number: 1 }).await.unwrap();
        faults.lose_nth(1);
        tables.send(&Check { number: 2 }).await.unwrap();
        let worker = tables.worker().on::<Check>();
        assert_eq!(worker.pass().await.unwrap().done, 3);
    });
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Plans", partition = "{house}", row = "plan")]
struct Plan {
    house: String,
    #[table(blob)]
    drawing: Blob,
}

#[test]
fn a_blob_fails_before_or_after_it_is_written() {
    let (faults, blobs) = (Faults::new(), Faults::new());
    let tables = TestTables::new().faults(&faults).blob_faults(&blobs).open().unwrap();
    let plan = |byte| Plan { house: "a".into(), drawing: Blob::new(vec![byte; 100_000]) };
    let b = tables.blocking();
    b.insert(&plan(1)).unwrap();
    let bytes = || {
        let plan = b.get(&Plan::point("a")).unwrap().unwrap();
        pollster::block_on(plan.drawing.read(&tables)).unwrap().first().copied()
    };

    let requests = faults.requests();
    blobs.fail_nth(1, ErrorCode::InternalError);
    assert_eq!(b.upsert(&plan(2)).unwrap_err().code(), Some(ErrorCode::InternalError));
    assert_eq!((bytes(), blobs.requests() > 1), (Some(1), true));
    assert!(faults.requests() > requests, "the row was read, and not written");

    // The blob is written, but the row does not name it.
    blobs.lose_nth(1);
    let error = b.upsert(&plan(3)).unwrap_err();
    assert!(error.is_outcome_unknown(), "{error:?}");
    assert_eq!(bytes(), Some(1));
    b.upsert(&plan(4)).unwrap();
    assert_eq!(bytes(), Some(4));
}

#[test]
fn a_seed_repeats_the_faults() {
    let run = |seed| {
        let faults = Faults::new();
        let tables = TestTables::new().faults(&faults).open().unwrap();
        faults.one_in(3, seed);
        (0..30).map(|number| tables.blocking().overwrite(&room(number)).is_err()).collect::<Vec<bool>>()
    };
    let first = run(5);
    assert!(first.contains(&true) && first.contains(&false), "{first:?}");
    assert_eq!(run(5), first);
    assert_ne!(run(6), first);
}

#[test]
fn one_in_zero_requests_is_none() {
    let faults = Faults::new();
    let tables = TestTables::new().faults(&faults).open().unwrap();
    for (n, fails) in [(1, true), (0, false)] {
        faults.one_in(n, 7);
        assert_eq!(tables.blocking().overwrite(&room(1)).is_err(), fails, "{n}");
    }
}
