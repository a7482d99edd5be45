//! The protocols hold in every state within small bounds, and the bounds are what they are said to be:
//! the number of states is kept here, and counted twice, by the model checker and by a graph.

use table_models::{
    catalogue::{Case, Expected, Size, cases},
    search::Verdict,
};

/// More than any small bounds need.
const AT_MOST: usize = 20_000_000;

/// Model, bounds, different states, states made by steps.
const COUNTS: &[(&str, &str, usize, usize)] = &[
    ("copies", "2 ops, 1 crashes, 0 lost, 2 workers", 167_700, 514_580),
    ("copies", "2 ops, 0 crashes, 1 lost, 2 workers", 548_250, 2_005_626),
    ("copies", "2 ops, 0 crashes, 0 lost, 2 workers", 305_830, 842_465),
    ("counter", "2 ops, 1 crashes, 1 lost, 2 workers", 590_853, 2_639_203),
    ("aggregate", "3 ops, 1 crashes, 0 lost, 2 workers", 32_485, 122_806),
    ("aggregate", "3 ops, 0 crashes, 1 lost, 2 workers", 154_164, 678_919),
    ("lists", "3 ops, 1 crashes, 0 lost, 2 workers", 40_063, 114_245),
    ("lists", "3 ops, 0 crashes, 1 lost, 2 workers", 159_037, 566_316),
    ("unique", "2 ops, 1 crashes, 0 lost, 2 workers", 206_803, 830_779),
    ("unique", "2 ops, 0 crashes, 1 lost, 2 workers", 683_189, 3_068_993),
    ("blob", "2 ops, 1 crashes, 0 lost, 2 workers", 61_713, 249_017),
    ("blob", "2 ops, 0 crashes, 1 lost, 2 workers", 169_128, 746_919),
    ("wide", "3 transactions, 1 merges, 1 reader", 30_914, 144_919),
    ("reindex", "2 ops, 1 crashes, 0 lost, 2 workers", 497_448, 1_924_161),
    ("reindex", "2 ops, 0 crashes, 0 lost, 2 workers", 70_560, 217_447),
    ("archive", "2 ops, 1 crashes, 1 lost, 2 workers, 2 tasks", 34_025, 148_871),
    ("once", "2 ops, 1 crashes, 1 lost, 2 workers", 1_304, 4_888),
    ("touch", "2 ops, 0 crashes, 1 lost, 2 workers", 5_649, 17_385),
];

fn finals() -> Vec<Case> {
    let small = cases().into_iter().filter(|case| case.size == Size::Small);
    small.filter(|case| case.expected == Expected::Holds).collect()
}

#[test]
fn every_protocol_holds_in_every_state_it_can_reach() {
    let mut counts = Vec::new();
    for case in finals() {
        let found = case.search(2, AT_MOST);
        assert_eq!(found.verdict, Verdict::Holds, "{case:?}: {found:?}");
        counts.push((case.model, case.bounds, found.unique, found.generated));
    }
    let counts: Vec<_> = counts
        .iter()
        .map(|(model, bounds, unique, generated)| (*model, &**bounds, *unique, *generated))
        .collect();
    assert_eq!(counts, COUNTS);
}

#[test]
fn every_state_leads_to_a_quiet_one() {
    for case in finals() {
        let graph = case.graph();
        assert_eq!(graph.lost, 0, "{case:?}");
        let counted = COUNTS.iter().find(|count| (count.0, count.1) == (case.model, &case.bounds));
        assert_eq!(counted.map(|count| count.2), Some(graph.states), "{case:?}");
    }
}
