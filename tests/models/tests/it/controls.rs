//! A model that cannot fail proves nothing: each protocol is refuted with one of its rules disabled.

use std::{
    collections::HashMap,
    iter,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use table_models::{
    catalogue::{Case, Expected, Size, cases},
    search::Verdict,
};

/// Model, variant, length of the shortest path to the failure.
type Steps = (&'static str, &'static str, usize);

/// Variants that are refuted on every change.
const STEPS: &[Steps] = &[
    ("copies", "OpQueueFirst", 5),
    ("copies", "Blind", 14),
    ("copies", "OrderWrong", 16),
    ("copies", "NoStub", 15),
    ("copies", "NoOldKeys", 11),
    ("copies", "HintEarly", 5),
    ("copies", "SharedDropAtOnce", 10),
    ("copies", "SharedOwnRow", 8),
    ("counter", "DeltaInMessage", 7),
    ("counter", "NoZeroRow", 17),
    ("aggregate", "OneMarker", 3),
    ("aggregate", "BlindSweep", 9),
    ("lists", "MissingIsDone", 13),
    ("lists", "NoEmptyList", 10),
    ("lists", "NoTouch", 18),
    ("lists", "BlindDelete", 13),
    ("unique", "NoReservation", 3),
    ("unique", "StealNoFence", 8),
    ("unique", "MarkerGcEarly", 10),
    ("unique", "NoHint", 4),
    ("unique", "DropAtOnce", 21),
    ("unique", "EarlyRelease", 6),
    ("blob", "CommitFirst", 2),
    ("blob", "OldBlobFirst", 6),
    ("blob", "GcNoFence", 7),
    ("blob", "NoHint", 3),
    ("blob", "BlindResend", 14),
    ("blob", "DropByLatePass", 7),
    ("blob", "DropAtOnce", 17),
    ("blob", "BlindReplace", 12),
    ("wide", "NoCheck", 6),
    ("wide", "OneStampOnHead", 6),
    ("wide", "ReplaceNoEtag", 3),
    ("reindex", "NoDeleteOnly", 14),
    ("reindex", "NoLease", 7),
    ("reindex", "BackfillNoReread", 11),
    ("reindex", "DropUnasked", 14),
    ("archive", "GuideBlind", 8),
    ("archive", "CondDeleteOnly", 12),
    ("archive", "DeleteFirst", 6),
    ("once", "NoMarker", 7),
    ("once", "MarkerAfter", 7),
    ("once", "MarkerBefore", 9),
    ("once", "MarkerGcEarly", 8),
    ("touch", "EqualContents", 14),
    ("rekey", "NoLease", 7),
    ("rekey", "NoMarker", 9),
    ("rekey", "NoStub", 17),
    ("rekey", "MarkerFirst", 8),
    ("rekey", "NoClaim", 4),
    ("rekey", "PendAny", 18),
    ("rekey", "SweepAny", 12),
    ("rekey", "NoPromote", 13),
    ("rekey", "OneLook", 12),
    ("rekey", "BackUnmarked", 11),
    ("moved", "ClaimAtMarker", 8),
    ("moved", "DropAtMarker", 8),
    ("moved", "CopyIsNothing", 9),
    ("moved", "ClearEarly", 10),
    ("changes", "NoHead", 12),
    ("changes", "NoProof", 8),
    ("changes", "RejectedIsNever", 9),
    ("changes", "TrimLast", 6),
    ("changes", "ListLate", 5),
    ("retire", "FloorEarly", 20),
    ("retire", "ScanFirst", 21),
    ("retire", "BlindState", 21),
];

/// Variants whose failure is found after more than a million states.
const LONG: &[Steps] = &[
    ("copies", "ContentNoop", 24),
    ("counter", "NoTouch", 29),
    ("unique", "KeepLive", 19),
    ("unique", "TrustOwnRow", 17),
    ("unique", "ForeignDelete", 20),
    ("unique", "SkipForeignPend", 19),
];

/// Returns the number of steps after which the failure is found.
fn steps(case: &Case) -> Option<usize> {
    // With one thread, the first path found is a shortest path.
    match case.search(1, 20_000_000).verdict {
        Verdict::Refuted { trace, .. } => Some(trace.len()),
        Verdict::Holds | Verdict::NoWitness | Verdict::TooLarge => None,
    }
}

/// Returns the broken variants of the catalogue.
fn controls() -> Vec<Case> {
    let small = cases().into_iter().filter(|case| case.size == Size::Small);
    small.filter(|case| case.expected == Expected::Refuted).collect()
}

fn is_named(case: &Case, (model, variant, _): &Steps) -> bool {
    case.model == *model && case.variant == *variant
}

/// Checks that each variant is refuted after its number of steps.
#[expect(clippy::unwrap_used, reason = "a thread that panics ends the test")]
fn are_found(expected: &[Steps]) {
    let mut controls = controls();
    controls.retain(|case| expected.iter().any(|steps| is_named(case, steps)));
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = || controls.get(next.fetch_add(1, Ordering::Relaxed));
        iter::from_fn(mine).map(|case| ((case.model, &*case.variant), steps(case))).collect::<HashMap<_, _>>()
    };
    let found = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut found = work();
        found.extend(other.join().unwrap());
        found
    });
    for (model, variant, steps) in expected {
        assert_eq!(found.get(&(*model, *variant)), Some(&Some(*steps)), "{model} {variant}");
    }
}

#[test]
fn every_mistake_is_found() {
    are_found(STEPS);
}

#[test]
#[ignore = "takes minutes; see `cargo xtask nightly slow`"]
fn every_mistake_with_a_long_path_is_found() {
    are_found(LONG);
}

#[test]
fn every_variant_is_listed() {
    let is_listed = |case: &Case| STEPS.iter().chain(LONG).any(|steps| is_named(case, steps));
    let others: Vec<Case> = controls().into_iter().filter(|case| !is_listed(case)).collect();
    assert!(others.is_empty(), "not expected: {others:?}");
    assert_eq!(controls().len(), STEPS.len() + LONG.len());
}
