//! The n-th call of the disk fails, for every public operation and every n.

mod call;
mod trial;

pub use call::Call;
pub use trial::Trial;

use std::{fmt, time::Duration};

use crate::{Fault, FaultKind, FaultOn, Violation};

/// What trials did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Runs in which the disk failed.
    pub runs: u64,
    /// Times that it did.
    pub failures: u64,
    /// Runs in which the operation went well all the same.
    pub absorbed: u64,
    /// How long it took.
    pub took: Duration,
}

/// A promise that was broken when the disk failed.
#[derive(Debug, thiserror::Error)]
#[error("{call:?} on a disk with {fault:?}: {violation}")]
pub struct Broken {
    call: Call,
    fault: Fault,
    violation: Violation,
}

/// Fails the first call of the disk of the kind `on` while `call` is made, then the second, and so on, until it is
/// made without a failure. `every` leaves out all but each so-many-th.
pub fn fail_each(
    call: Call,
    on: FaultOn,
    kind: FaultKind,
    lasting: bool,
    every: u64,
) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    let fault = |after| Fault { on, after, lasting, kind };
    let broken = |after| move |violation| Broken { call, fault: fault(after), violation };
    let trial = Trial::new(call).map_err(broken(0))?;
    for after in (0..).step_by(usize::try_from(every).unwrap_or(1).max(1)) {
        let ended = trial.run(fault(after)).map_err(broken(after))?;
        if ended.failures == 0 {
            break;
        }
        tally.runs += 1;
        tally.failures += ended.failures;
        tally.absorbed += u64::from(ended.succeeded);
    }
    Ok(tally)
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.failures += other.failures;
        self.absorbed += other.absorbed;
        self.took += other.took;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, failures, absorbed, took } = self;
        write!(
            f,
            "{runs} runs with {failures} failures in {:.1} s; {absorbed} absorbed, no promise broken",
            took.as_secs_f64()
        )
    }
}
