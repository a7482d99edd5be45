//! Runs proofs for a number of cases or for a duration, and reports the results.

mod arguments;
mod slice;
mod standing;

pub use arguments::{Arguments, USAGE};
pub use standing::Standing;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::reliability::proof::{Depth, Proof};

/// The extent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The number of cases that run with every change: minutes.
    Change,
    /// This number of cases of each proof.
    Cases(u64),
    /// This duration, divided among the proofs.
    Time(Duration),
}

/// Maximum duration of a proof's turn, so that an interrupted run has executed a part of each proof.
const LONGEST_TURN: Duration = Duration::from_secs(20);

/// Runs proofs from `seed` on. After each turn `told` receives the standing of the proof.
pub fn run(
    proofs: &[Arc<dyn Proof>],
    size: Size,
    seed: u64,
    mut told: impl FnMut(&Standing),
) -> Vec<Standing> {
    let mut standings: Vec<Standing> =
        proofs.iter().map(|proof| Standing::new(Arc::clone(proof), seed)).collect();
    let Size::Time(time) = size else {
        for standing in &mut standings {
            let (cases, depth) = match size {
                Size::Cases(cases) => (cases, Depth::Full),
                _ => (standing.proof().cases_with_every_change(), Depth::Sampled),
            };
            slice::run(standing, cases, None, depth);
            told(standing);
        }
        return standings;
    };
    let end = Instant::now() + time;
    let turns = u32::try_from(standings.len()).unwrap_or(u32::MAX).saturating_mul(4).max(1);
    let turn = (time / turns).min(LONGEST_TURN);
    while Instant::now() < end && standings.iter().any(Standing::goes_on) {
        for standing in standings.iter_mut().filter(|standing| standing.goes_on()) {
            let until = (Instant::now() + turn).min(end);
            slice::run(standing, u64::MAX, Some(until), Depth::Full);
            told(standing);
        }
    }
    standings
}
