//! Bits that flip, sectors that are zeroed and writes that go astray, in a closed file. `TABLE_POINTS` sets how many,
//! `TABLE_SEED` where to begin.

#![expect(clippy::expect_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use table_reliability::{
    Seed,
    rot::{Fates, Rot, Specimen},
    seed::setting,
};

/// After so long without a sign an opening is taken to hang. It takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

fn decay(name: &'static str, verified: bool, points: u64) -> Fates {
    let (seed, points) = (setting("TABLE_SEED", 1), setting("TABLE_POINTS", points));
    let (report, reports) = mpsc::channel();
    let started = Instant::now();
    thread::spawn(move || {
        let specimen = Specimen::new(verified).expect("a sound store");
        for number in seed..seed + points {
            let rot = Rot::of(&mut Seed::new(number), specimen.size());
            if report.send((number, rot, specimen.suffer(rot))).is_err() {
                break;
            }
        }
    });
    let mut fates = Fates::default();
    let mut last = seed;
    loop {
        match reports.recv_timeout(PATIENCE) {
            Ok((number, _, Ok(fate))) => {
                last = number;
                fates.note(fate);
            }
            Ok((number, rot, Err(violation))) => panic!(
                "{rot:?}: {violation}\nreplay: TABLE_SEED={number} TABLE_POINTS=1 cargo test -p table-reliability --test \
                 bit_rot {name}"
            ),
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs after TABLE_SEED={last}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    fates.took = started.elapsed();
    println!("{name}: seeds {seed}.., {fates}");
    fates
}

/// Nothing is wrong, and nothing is missing.
#[test]
fn a_verified_file_is_refused_or_right() {
    let fates = decay("a_verified_file_is_refused_or_right", true, 1_000);
    assert_eq!(fates.hidden, 0, "{fates}");
    assert!(fates.refused > 0, "{fates}");
}

/// Without verification damage to the pages between can hide rows, as the documentation of `verify_up_to` says; what
/// is returned is right all the same.
#[test]
fn an_unverified_file_never_gives_wrong_data() {
    let fates = decay("an_unverified_file_never_gives_wrong_data", false, 1_500);
    assert!(fates.reported > 0, "{fates}");
}
