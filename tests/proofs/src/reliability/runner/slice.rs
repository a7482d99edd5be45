use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::standing::Standing;
use crate::reliability::{
    proof::{Counts, Depth, Proof, Refutation},
    violation::panic_text,
};

/// Duration without progress after which a case is considered hung. Cases take milliseconds to seconds.
const PATIENCE: Duration = Duration::from_secs(180);

/// Runs up to `cases` further cases of a proof, none of which starts after `until`; at least one.
pub(super) fn run(standing: &mut Standing, cases: u64, until: Option<Instant>, depth: Depth) {
    let started = Instant::now();
    let seeds = standing.next_seeds(cases);
    let (report, reports) = mpsc::channel();
    let proof = Arc::clone(standing.proof());
    // On a separate thread, so that a hung case can be reported. The thread is then abandoned.
    thread::spawn(move || {
        for seed in seeds {
            if report.send(try_case(&*proof, seed, depth)).is_err()
                || until.is_some_and(|until| Instant::now() >= until)
            {
                break;
            }
        }
    });
    loop {
        match reports.recv_timeout(PATIENCE) {
            Ok(outcome) => standing.note(outcome),
            Err(mpsc::RecvTimeoutError::Timeout) => standing.note(Err("it hangs".into())),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        if standing.is_refuted() {
            break;
        }
    }
    standing.took(started.elapsed());
}

fn try_case(proof: &dyn Proof, seed: u64, depth: Depth) -> Result<Counts, Refutation> {
    catch_unwind(AssertUnwindSafe(|| proof.try_case(seed, depth)))
        .unwrap_or_else(|panic| Err(format!("the proof itself panicked: {}", panic_text(&*panic)).into()))
}
