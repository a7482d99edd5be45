//! The n-th call of the disk fails, for every public operation and every n.

mod call;
mod prepared;
mod told;
mod trial;

pub use call::Call;
pub(crate) use told::refusal_tells;
pub use trial::Trial;

use crate::reliability::{Fault, FaultKind, FaultOn, Violation};

/// The kinds of failing calls, with their results.
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

/// Counts of trials.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of runs in which the disk failed.
    pub runs: u64,
    /// Number of failures.
    pub failures: u64,
    /// Number of runs in which the operation succeeded despite a failure.
    pub absorbed: u64,
}

/// A guarantee that was violated after a disk failure.
#[derive(Debug, thiserror::Error)]
#[error("{call:?} on a disk with {fault:?}: {violation}")]
pub struct Broken {
    call: Call,
    fault: Fault,
    violation: Violation,
}

/// Fails a disk call during the operation of `trial`: first the call in `first`, then each `every`-th call after it,
/// until the operation runs without a failure.
///
/// # Errors
/// Returns the first violation, with its call and fault.
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
