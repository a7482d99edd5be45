//! The n-th call of the disk fails, for every public operation and every n: once and for ever, as a broken device and
//! as a full one. `TABLE_EVERY=1` tries every n; the default leaves some out.

use std::time::Instant;

use table_reliability::{
    Fault, FaultKind, FaultOn,
    faults::{Call, Tally, Trial, fail_each},
    seed::setting,
};

fn fail_all(on: FaultOn, kinds: &[FaultKind], every: u64) {
    let started = Instant::now();
    let every = setting("TABLE_EVERY", every).max(1);
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for (number, call) in (0..).zip(Call::ALL) {
        let trial = match Trial::new(call) {
            Ok(trial) => trial,
            Err(violation) => {
                broken.push(format!("{call:?}: {violation}"));
                continue;
            }
        };
        for (kind, lasting) in kinds.iter().flat_map(|kind| [(*kind, false), (*kind, true)]) {
            // Not the same ones for all operations.
            let first = Fault { on, after: number % every, lasting, kind };
            match fail_each(&trial, first, every) {
                Ok(more) => tally += more,
                Err(error) => broken.push(error.to_string()),
            }
        }
    }
    tally.took = started.elapsed();
    println!("{on:?}, every {every}: {tally}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(tally.runs >= 10, "the disk hardly failed at all");
}

#[test]
fn a_write_that_fails_is_reported_and_leaves_the_state_before_or_after() {
    fail_all(FaultOn::Write, &[FaultKind::Device, FaultKind::Full], 17);
}

#[test]
fn a_sync_that_fails_is_reported_and_leaves_the_state_before_or_after() {
    fail_all(FaultOn::Sync, &[FaultKind::Device, FaultKind::Full], 2);
}

#[test]
fn a_change_of_length_that_fails_is_reported_and_leaves_the_state_before_or_after() {
    fail_all(FaultOn::SetLen, &[FaultKind::Device, FaultKind::Full], 1);
}

#[test]
fn a_read_that_fails_is_reported_and_changes_nothing() {
    fail_all(FaultOn::Read, &[FaultKind::Device], 31);
}

/// The canary: if the disk hides that a sync failed, the checks above must fail.
#[test]
fn a_sync_that_fails_without_a_word_is_found_out() {
    for call in [Call::Insert, Call::Transact, Call::CreateTable, Call::DeleteTable] {
        let trial = Trial::new(call).expect("a prepared store");
        let first = Fault { on: FaultOn::Sync, after: 0, lasting: true, kind: FaultKind::Silent };
        let found = fail_each(&trial, first, 1);
        assert!(found.is_err(), "{call:?}: {found:?}");
    }
}
