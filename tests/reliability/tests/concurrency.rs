//! Histories of clients that work at the same time. `TABLE_HISTORIES` sets how many, `TABLE_SEED` where to begin.

use table_reliability::{
    concurrency::{Bug, Search, Verdict, file, linearize, search::Why},
    seed::setting,
};

#[test]
fn every_history_has_an_order_that_explains_it() {
    let search = Search::new(setting("TABLE_SEED", 1), setting("TABLE_HISTORIES", 300));
    let figures = search.run(&mut |_| true).unwrap_or_else(|failure| panic!("{failure}"));
    println!("linearize: {figures}");
    assert_eq!(figures.unsure, 0, "{figures}");
    assert!(figures.given_up > 0, "{figures}");
}

#[test]
fn the_order_of_the_timestamps_explains_long_histories() {
    let search = Search { timed: Some(5_000), ..Search::new(setting("TABLE_SEED", 1), 4) };
    let figures = search.run(&mut |_| true).unwrap_or_else(|failure| panic!("{failure}"));
    println!("witness: {figures}");
}

/// The canary: with a bug between the clients and the store a history must be refuted.
#[test]
fn each_planted_bug_is_found_within_a_thousand_histories() {
    for bug in Bug::ALL {
        let search = Search { bug: Some(bug), ..Search::new(1, 1_000) };
        let failure = search.run(&mut |_| true).expect_err("a bug was not found");
        let Why::Refuted(calls) = &failure.why else { panic!("{bug:?}: {failure}") };
        let kept = file::read(&failure.file).expect("the history was kept");
        assert!(
            matches!(linearize::judge(&kept), Verdict::Refuted { .. }),
            "{bug:?}: what was kept is no proof"
        );
        println!("{bug:?}: found in history {}, {} calls are left of it", failure.seed, calls.len());
    }
}
