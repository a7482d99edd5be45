//! The n-th call of the disk fails, for every public operation and every n.

mod call;
mod prepared;
mod told;
mod trial;

pub use call::Call;
pub(crate) use told::refusal_tells;
pub use trial::Trial;

use crate::{Fault, FaultKind, FaultOn, Violation};

/// What fails, and what is reported.
pub const KINDS: [(FaultOn, FaultKind); 8] = [
    (FaultOn::Write, FaultKind::Device),
    (FaultOn::Write, FaultKind::Full),
    (FaultOn::SetLen, FaultKind::Device),
    (FaultOn::SetLen, FaultKind::Full),
    (FaultOn::Sync, FaultKind::Device),
    (FaultOn::Sync, FaultKind::Full),
    (FaultOn::Read, FaultKind::Device),
    (FaultOn::Read, FaultKind::Short),
];

/// What trials did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Runs in which the disk failed.
    pub runs: u64,
    /// Times that it did.
    pub failures: u64,
    /// Runs in which the operation went well all the same.
    pub absorbed: u64,
}

/// A promise that was broken when the disk failed.
#[derive(Debug, thiserror::Error)]
#[error("{call:?} on a disk with {fault:?}: {violation}")]
pub struct Broken {
    call: Call,
    fault: Fault,
    violation: Violation,
}

/// Fails a call of the disk while the operation of `trial` runs: first the one that `first` names, then each
/// `every`-th after it, until the operation runs without a failure.
pub fn fail_each(trial: &Trial, first: Fault, every: u64) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    for step in 0.. {
        let fault = Fault { after: first.after + step * every.max(1), ..first };
        let broken = |violation| Broken { call: trial.call(), fault, violation };
        let ended = trial.run(fault).map_err(broken)?;
        if ended.failures == 0 {
            break;
        }
        tally.runs += 1;
        tally.failures += ended.failures;
        tally.absorbed += u64::from(ended.succeeded);
    }
    Ok(tally)
}
