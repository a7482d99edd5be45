//! The n-th call of the disk fails, for every public operation and every n: once and for ever, as a broken device and
//! as a full one. `TABLE_EVERY=1` tries every n; the default leaves some out.

use std::time::Instant;

use table_reliability::{
    FaultKind, FaultOn,
    faults::{Call, Tally, fail_each},
    seed::setting,
};

fn fail_all(on: FaultOn, kinds: &[FaultKind], every: u64) {
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for call in Call::ALL {
        for kind in kinds {
            for lasting in [false, true] {
                match fail_each(call, on, *kind, lasting, setting("TABLE_EVERY", every)) {
                    Ok(more) => tally += more,
                    Err(error) => broken.push(error.to_string()),
                }
            }
        }
    }
    tally.took = started.elapsed();
    println!("{on:?}: {tally}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(tally.runs >= 10, "the disk hardly failed at all");
}

#[test]
fn a_write_that_fails_is_reported_and_leaves_the_state_before_or_after() {
    fail_all(FaultOn::Write, &[FaultKind::Device, FaultKind::Full], 13);
}

#[test]
fn a_sync_that_fails_is_reported_and_leaves_the_state_before_or_after() {
    fail_all(FaultOn::Sync, &[FaultKind::Device, FaultKind::Full], 1);
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
        let found = fail_each(call, FaultOn::Sync, FaultKind::Silent, true, 1);
        assert!(found.is_err(), "{call:?}: {found:?}");
    }
}
