use std::sync::Mutex;

use crate::reliability::{
    Fault, FaultKind, FaultOn,
    faults::{Call, KINDS, Trial, fail_each},
    proof::{Counts, Depth, Proof, Refutation},
};

/// The n-th call of the disk fails, for every public operation, each kind of failure and every n.
#[derive(Debug, Default)]
pub(super) struct Errors {
    trials: Trials,
}

impl Proof for Errors {
    fn name(&self) -> &'static str {
        "errors"
    }

    fn promise(&self) -> &'static str {
        "a call of the disk that fails is reported, leaves the state before or after, and the store goes on"
    }

    fn cases(&self) -> Option<u64> {
        Some((Call::ALL.len() * KINDS.len() * 2) as u64)
    }

    fn cases_with_every_change(&self) -> u64 {
        self.cases().unwrap_or(0)
    }

    fn try_case(&self, seed: u64, depth: Depth) -> Result<Counts, Refutation> {
        let number = usize::try_from(seed)?;
        let (lasting, number) = (number % 2 == 1, number / 2);
        let (on, kind) = KINDS.get(number % KINDS.len()).copied().ok_or("no fault")?;
        let call = Call::ALL.get(number / KINDS.len() % Call::ALL.len()).copied().ok_or("no call")?;
        let (after, every) = match (depth, on) {
            (Depth::Full, _) => (0, 1),
            (Depth::Sampled, FaultOn::SetLen | FaultOn::Sync) => (seed % 3, 3),
            (Depth::Sampled, FaultOn::Write | FaultOn::Read) => (seed % 13, 61),
        };
        let first = Fault { on, after, lasting, kind };
        let tally = self.trials.with(call, |trial| fail_each(trial, first, every))??;
        Ok(Counts::of([("runs", tally.runs), ("failures", tally.failures), ("absorbed", tally.absorbed)]))
    }
}

/// A disk that hides a failed sync: the search must find violations.
#[derive(Debug, Default)]
pub(super) struct Unnoticed {
    trials: Trials,
}

const CHANGES: [Call; 4] = [Call::Insert, Call::Transact, Call::CreateTable, Call::DeleteTable];

impl Proof for Unnoticed {
    fn name(&self) -> &'static str {
        "errors-canary"
    }

    fn promise(&self) -> &'static str {
        "a disk that hides a failed sync is found out"
    }

    fn cases(&self) -> Option<u64> {
        Some(CHANGES.len() as u64)
    }

    fn cases_with_every_change(&self) -> u64 {
        CHANGES.len() as u64
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let call = CHANGES.get(usize::try_from(seed)? % CHANGES.len()).copied().ok_or("no call")?;
        let first = Fault { on: FaultOn::Sync, after: 0, lasting: true, kind: FaultKind::Silent };
        match self.trials.with(call, |trial| fail_each(trial, first, 1))? {
            Ok(tally) => Err(format!("{call:?} with {tally:?} seemed to go well").into()),
            Err(_) => Ok(Counts::of([("found out", 1)])),
        }
    }
}

/// The last trial, whose preparation takes longer than one run.
#[derive(Debug, Default)]
struct Trials(Mutex<Option<Trial>>);

impl Trials {
    fn with<T>(&self, call: Call, work: impl FnOnce(&Trial) -> T) -> Result<T, Refutation> {
        let mut last = self.0.lock().map_err(|_| "an earlier case ended in a panic")?;
        if last.as_ref().is_none_or(|trial| trial.call() != call) {
            *last = Some(Trial::new(call).map_err(|violation| format!("preparing {call:?}: {violation}"))?);
        }
        last.as_ref().map(work).ok_or_else(|| "no trial".into())
    }
}
