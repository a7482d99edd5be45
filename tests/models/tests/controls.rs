//! A model that cannot fail proves nothing: each protocol with one of its rules left out is refuted.

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

/// Model, variant, steps of the shortest way to the harm.
const STEPS: &[(&str, &str, usize)] = &[
    ("copies", "OpQueueFirst", 6),
    ("copies", "Blind", 14),
    ("copies", "OrderWrong", 16),
    ("copies", "NoStub", 15),
    ("copies", "NoOldKeys", 11),
    ("copies", "HintEarly", 5),
    ("copies", "ContentNoop", 24),
    ("copies", "SharedDropAtOnce", 10),
    ("copies", "SharedOwnRow", 8),
    ("counter", "DeltaInMessage", 9),
    ("counter", "NoZeroRow", 17),
    ("counter", "NoTouch", 29),
    ("unique", "NoReservation", 7),
    ("unique", "StealNoFence", 8),
    ("unique", "MarkerGcEarly", 10),
    ("unique", "NoHint", 10),
    ("unique", "DropAtOnce", 21),
    ("unique", "EarlyRelease", 6),
    ("unique", "KeepLive", 19),
    ("unique", "TrustOwnRow", 17),
    ("unique", "ForeignDelete", 20),
    ("unique", "SkipForeignPend", 19),
    ("blob", "CommitFirst", 8),
    ("blob", "OldBlobFirst", 8),
    ("blob", "GcNoFence", 9),
    ("blob", "NoHint", 11),
    ("blob", "BlindResend", 14),
    ("blob", "DropByLatePass", 7),
    ("blob", "DropAtOnce", 17),
    ("blob", "BlindReplace", 12),
    ("wide", "NoCheck", 7),
    ("wide", "OneStampOnHead", 7),
    ("wide", "ReplaceNoEtag", 7),
    ("reindex", "NoDeleteOnly", 14),
    ("reindex", "NoLease", 7),
    ("reindex", "BackfillNoReread", 11),
    ("archive", "GuideBlind", 10),
    ("archive", "CondDeleteOnly", 12),
    ("archive", "DeleteFirst", 10),
];

/// In how many steps the mistake is found.
fn steps(case: &Case) -> Option<usize> {
    // One thread: the first way found is a shortest one.
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
