//! Several commits while the files of the store fail: the outcome of the first one is unknown until the store has settled it.

use super::*;
use crate::engine::Engine;

/// Number of commits before the failure, and while it may last.
const BEFORE: usize = 3;
const DURING: usize = 2;

fn key(number: usize) -> Vec<u8> {
    format!("commit {number}").into_bytes()
}

/// A store with or without a kept log.
fn open(simulation: &Simulation, kept: bool, what: &str) -> Box<dyn Engine> {
    if kept {
        let engine = simulation.open().unwrap_or_else(|refusal| panic!("{what}: {refusal:?}"));
        simulation.check_log(&engine, what);
        return Box::new(engine);
    }
    let engine = logged_tests::open(simulation.disk.clone(), SMALL);
    Box::new(engine.unwrap_or_else(|refusal| panic!("{what}: {refusal:?}")))
}

/// Commits while calls of the store's files fail, and ends the process after each commit. Returns whether a call failed.
fn fail(start: &Images, failure: Failure, kept: bool, len: usize) -> bool {
    let simulation = Simulation::new(start.clone(), 1 << 30);
    let engine = open(&simulation, kept, "start");
    let (mut acknowledged, mut possible) = (Vec::new(), Vec::new());
    for number in 0..BEFORE + DURING {
        let what = format!("{failure:?}, kept: {kept}, {len} bytes, commit {number}");
        if number == BEFORE {
            *simulation.disk.failure.lock().unwrap() = failure;
        }
        let changes = [(key(number), Some(vec![7; len])), (key(number).repeat(2), Some(vec![8; len]))];
        possible.push(number);
        if write(&*engine, &changes, Persist::Now).is_ok() {
            acknowledged.push(number);
        }
        if number < BEFORE {
            continue;
        }
        let killed = Simulation::new(simulation.images(), simulation.most_bytes);
        let found = rows(&*open(&killed, kept, &what)).unwrap();
        for number in 0..BEFORE + DURING {
            let is_there = found.contains_key(&key(number));
            assert_eq!(is_there, found.contains_key(&key(number).repeat(2)), "{what}: a part of {number}");
            assert!(is_there || !acknowledged.contains(&number), "{what}: {number} is lost");
            assert!(!is_there || possible.contains(&number), "{what}: {number} was not written");
        }
    }
    let unfailed = *simulation.disk.failure.lock().unwrap();
    unfailed.kind.is_none() || unfailed.after == 0
}

fn every_call(on: On, once: bool, kept: bool) {
    let start = Simulation::start(1 << 30).images();
    for len in [10, 9_000] {
        let kind = Some(ErrorKind::Other);
        let failed =
            (0..).take_while(|after| fail(&start, Failure { after: *after, kind, once, on }, kept, len));
        assert!(failed.count() > DURING, "{on:?}, once: {once}, kept: {kept}, {len} bytes");
    }
}

#[test]
fn a_store_opens_with_its_kept_log_after_commits_with_an_unknown_outcome() {
    for on in [On::Sync, On::Change] {
        every_call(on, false, true);
        every_call(on, true, true);
    }
}

#[test]
fn a_store_opens_after_commits_with_an_unknown_outcome() {
    for on in [On::Sync, On::Change] {
        every_call(on, false, false);
        every_call(on, true, false);
    }
}
