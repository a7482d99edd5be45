//! A model that cannot fail proves nothing: each protocol with one of its rules left out is refuted.

use table_models::{
    catalogue::{Expected, Size, cases},
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
    ("counter", "DeltaInMessage", 9),
    ("counter", "NoZeroRow", 17),
    ("counter", "NoTouch", 29),
];

#[test]
fn every_mistake_is_found() {
    let mut found = Vec::new();
    let small = cases().into_iter().filter(|case| case.size == Size::Small);
    for case in small.filter(|case| case.expected == Expected::Refuted) {
        // One thread: the first way found is a shortest one.
        match case.search(1, 20_000_000).verdict {
            Verdict::Refuted { trace, .. } => found.push((case.model, case.variant, trace.len())),
            verdict => panic!("{case:?}: {verdict}"),
        }
    }
    let found: Vec<_> = found.iter().map(|(model, variant, steps)| (*model, &**variant, *steps)).collect();
    assert_eq!(found, STEPS);
}
