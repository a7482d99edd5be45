//! Every proof with the number of cases for every change; `prove` runs more.

#![expect(clippy::expect_used, reason = "a helper of a test fails as a test does")]

use std::{path::Path, sync::Arc};

use table_proofs::reliability::{
    proof::Proof,
    proofs,
    runner::{self, Size},
};

fn all() -> Vec<Arc<dyn Proof>> {
    proofs::all(Path::new(env!("CARGO_BIN_EXE_prove")))
}

fn prove(name: &str) {
    let proof = all().into_iter().find(|proof| proof.name() == name).expect("a proof of this name");
    for standing in runner::run(&[proof], Size::Change, 1, |_| ()) {
        println!("{standing}");
        assert!(standing.holds(), "{standing}");
    }
}

/// Each proof as a separate test.
macro_rules! proofs {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                prove($name);
            }
        )*

        #[test]
        fn every_proof_goes_with_every_change() {
            let tested = [$($name),*];
            for proof in all() {
                assert!(tested.contains(&proof.name()), "{} is missing here", proof.name());
            }
        }
    };
}

proofs! {
    no_acknowledged_write_is_lost_and_none_is_half_there: "crashes",
    requests_that_share_a_group_survive_in_their_order: "groups",
    relaxed_writes_are_lost_from_the_end_only_and_never_after_a_flush: "relaxed",
    garbage_in_sectors_under_way_harms_nothing: "garbage",
    a_disk_that_ignores_syncs_is_found_out: "canary",
    contents_of_blobs_are_there_whole_or_not_at_all_and_leave_nothing: "blobs",
    a_disk_that_ignores_syncs_harms_blobs: "blobs-canary",
    messages_survive_and_deleted_ones_do_not_come_back: "queues",
    a_disk_that_ignores_syncs_harms_queues: "queues-canary",
    a_creation_that_is_cut_short_leaves_no_store_or_a_sound_one: "creation",
    a_compaction_that_is_cut_short_changes_nothing: "compaction",
    a_failing_disk_is_reported_and_leaves_the_state_before_or_after: "errors",
    a_sync_that_fails_without_a_word_is_found_out: "errors-canary",
    a_verified_file_is_refused_or_right: "rot",
    an_unverified_file_never_gives_wrong_data: "rot-unverified",
    a_full_file_system_stops_writes_only_and_only_while_it_is_full: "full-disk",
    the_store_answers_as_a_model_does: "programs",
    a_planted_mistake_is_shown_by_a_program_of_three_steps: "programs-canary",
    every_history_of_concurrent_clients_has_an_order_that_explains_it: "histories",
    the_order_of_the_timestamps_explains_long_histories: "times",
    each_planted_bug_is_found_within_a_thousand_histories: "histories-canary",
    a_killed_process_loses_nothing_that_it_acknowledged: "kills",
    a_killed_process_loses_relaxed_writes_within_the_bound_only: "kills-relaxed",
}
