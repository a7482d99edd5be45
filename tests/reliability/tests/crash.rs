//! Power cuts at every step of the disk. `TABLE_POINTS` sets how many, `TABLE_SEED` where to begin.

#![expect(clippy::panic, reason = "a helper of a test fails as a test does")]

use table_reliability::{Campaign, history::RELAXED, program::Style};

fn verdict(campaign: &Campaign) {
    match campaign.run() {
        Ok(figures) => println!("{}: {figures}", campaign.name),
        Err(failure) => panic!("{}: {failure}", campaign.name),
    }
}

#[test]
fn no_acknowledged_write_is_lost_and_none_is_half_there() {
    verdict(&Campaign::new("no_acknowledged_write_is_lost_and_none_is_half_there", 1_000));
}

#[test]
fn requests_that_share_a_group_survive_in_their_order() {
    let campaign = Campaign::new("requests_that_share_a_group_survive_in_their_order", 1_000);
    verdict(&Campaign { style: Style::Grouped, ..campaign });
}

#[test]
fn relaxed_writes_are_lost_from_the_end_only_and_never_after_a_flush() {
    let campaign = Campaign::new("relaxed_writes_are_lost_from_the_end_only_and_never_after_a_flush", 1_000);
    verdict(&Campaign { durability: RELAXED, ..campaign });
}

/// The canary: on a disk that does not sync the checks above must fail.
#[test]
fn a_disk_that_ignores_syncs_is_found_out() {
    let campaign = Campaign { honest: false, ..Campaign::new("a_disk_that_ignores_syncs_is_found_out", 300) };
    let figures = campaign.count().expect("programs run");
    println!("{}: {figures}", campaign.name);
    assert!(figures.failed * 2 > figures.points, "{figures}");
}
