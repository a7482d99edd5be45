//! Runs proofs for as many cases or as long as asked, and says what came of it.

mod arguments;
mod slice;
mod standing;

pub use arguments::{Arguments, USAGE};
pub use standing::Standing;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::proof::{Depth, Proof};

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As many cases as go with every change: minutes.
    Change,
    /// So many cases of each proof.
    Cases(u64),
    /// For so long, shared between the proofs.
    Time(Duration),
}

/// Most that a proof runs before it is the next one's turn, so that a run that is ended early has done some of all.
const LONGEST_TURN: Duration = Duration::from_secs(20);

/// Runs proofs from `seed` on. After each turn `told` gets where the proof stands.
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
