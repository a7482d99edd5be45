//! Tests of the runner with proofs of a given outcome.

use std::sync::Arc;

use table_proofs::reliability::{
    proof::{Counts, Depth, Proof, Refutation},
    runner::{self, Size, Standing},
};

/// Succeeds up to the seed 12; it has 40 cases.
#[derive(Debug)]
struct NoThirteen;

impl Proof for NoThirteen {
    fn name(&self) -> &'static str {
        "no-thirteen"
    }

    fn promise(&self) -> &'static str {
        "no seed is thirteen"
    }

    fn cases_with_every_change(&self) -> u64 {
        20
    }

    fn cases(&self) -> Option<u64> {
        Some(40)
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        match seed {
            13 => Err("it is thirteen".into()),
            _ => Ok(Counts::of([("seeds", 1), ("even", u64::from(seed.is_multiple_of(2)))])),
        }
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        if counts.get("even") > 0 { Ok(()) } else { Err("no seed was even".into()) }
    }
}

fn run(size: Size, seed: u64) -> (Vec<String>, Standing) {
    let mut told = Vec::new();
    let mut standings =
        runner::run(&[Arc::new(NoThirteen)], size, seed, |standing| told.push(standing.to_string()));
    (told, standings.remove(0))
}

#[test]
fn a_broken_promise_is_told_with_the_arguments_that_show_it_again() {
    let (told, standing) = run(Size::Change, 1);
    assert!(!standing.holds());
    assert_eq!(standing.counts().get("seeds"), 12);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("BROKEN") && told[0].contains("it is thirteen"), "{told:?}");
    assert!(told[0].ends_with("-- --only no-thirteen --seed 13 --cases 1"), "{told:?}");
}

#[test]
fn a_promise_that_holds_is_told_in_one_line_with_its_seeds_and_counts() {
    let (told, standing) = run(Size::Cases(4), 20);
    assert!(standing.holds());
    assert!(told[0].contains("holds   seeds 20..24: 4 seeds, 2 even in "), "{told:?}");
    assert!(told[0].ends_with(" seeds/s"), "{told:?}");
}

#[test]
fn a_proof_whose_cases_are_all_tried_has_ended() {
    let (_, standing) = run(Size::Cases(1_000), 20);
    assert_eq!(standing.counts().get("seeds"), 40);
}

#[test]
fn all_cases_together_are_judged() {
    let (told, standing) = run(Size::Cases(1), 21);
    assert!(!standing.holds());
    assert!(told[0].ends_with("-- --only no-thirteen --seed 21 --cases 1"), "{told:?}");
}
