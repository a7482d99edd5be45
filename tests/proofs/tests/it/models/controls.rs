//! A model that cannot fail proves nothing: each protocol is refuted with one of its rules disabled.

use std::{
    collections::HashMap,
    iter,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use table_proofs::models::{
    catalogue::{Case, Expected, Size, cases},
    search::Verdict,
};

/// Model, variant, length of the shortest path to the failure.
const STEPS: &[(&str, &str, usize)] = &[
    ("copies", "OpQueueFirst", 5),
    ("copies", "Blind", 14),
    ("copies", "OrderWrong", 16),
    ("copies", "NoStub", 15),
    ("copies", "NoOldKeys", 11),
    ("copies", "HintEarly", 5),
    ("copies", "ContentNoop", 24),
    ("copies", "SharedDropAtOnce", 10),
    ("copies", "SharedOwnRow", 8),
    ("counter", "DeltaInMessage", 7),
    ("counter", "NoZeroRow", 17),
    ("counter", "NoTouch", 29),
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
    ("unique", "KeepLive", 19),
    ("unique", "TrustOwnRow", 17),
    ("unique", "ForeignDelete", 20),
    ("unique", "SkipForeignPend", 19),
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
];

/// Returns the number of steps after which the failure is found.
fn steps(case: &Case) -> Option<usize> {
    // With one thread, the first path found is a shortest path.
    match case.search(1, 20_000_000).verdict {
        Verdict::Refuted { trace, .. } => Some(trace.len()),
        Verdict::Holds | Verdict::NoWitness | Verdict::TooLarge => None,
    }
}

#[test]
fn every_mistake_is_found() {
    let small = cases().into_iter().filter(|case| case.size == Size::Small);
    let controls: Vec<Case> = small.filter(|case| case.expected == Expected::Refuted).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = || controls.get(next.fetch_add(1, Ordering::Relaxed));
        iter::from_fn(mine).map(|case| ((case.model, &*case.variant), steps(case))).collect::<HashMap<_, _>>()
    };
    let mut found = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut found = work();
        found.extend(other.join().unwrap());
        found
    });
    for (model, variant, steps) in STEPS {
        assert_eq!(found.remove(&(*model, *variant)), Some(Some(*steps)), "{model} {variant}");
    }
    assert!(found.is_empty(), "not expected: {found:?}");
}
