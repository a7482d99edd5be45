use std::{fmt, ops::Range, sync::Arc, time::Duration};

use crate::reliability::proof::{Counts, Grouped, Proof, Refutation};

/// The results of a proof so far.
#[derive(Debug)]
pub struct Standing {
    proof: Arc<dyn Proof>,
    first: u64,
    next: u64,
    counts: Counts,
    took: Duration,
    /// The seed of the case that violated the guarantee, and the reason.
    refutation: Option<(u64, Refutation)>,
    hindrance: Option<String>,
}

impl Standing {
    pub(super) fn new(proof: Arc<dyn Proof>, seed: u64) -> Self {
        let hindrance = proof.hindrance();
        let (counts, took) = (Counts::default(), Duration::ZERO);
        Self { proof, first: seed, next: seed, counts, took, refutation: None, hindrance }
    }

    pub(super) fn proof(&self) -> &Arc<dyn Proof> {
        &self.proof
    }

    /// Returns whether any cases are left.
    pub(super) fn goes_on(&self) -> bool {
        !self.is_refuted() && !self.next_seeds(1).is_empty()
    }

    pub(super) fn is_refuted(&self) -> bool {
        self.refutation.is_some()
    }

    /// Returns the seeds of the next `cases` cases; fewer at the end.
    pub(super) fn next_seeds(&self, cases: u64) -> Range<u64> {
        if self.hindrance.is_some() {
            return self.next..self.next;
        }
        let end = self.proof.cases().map_or(u64::MAX, |cases| self.first.saturating_add(cases));
        self.next..self.next.saturating_add(cases).min(end)
    }

    /// Records the result of the next case.
    pub(super) fn note(&mut self, outcome: Result<Counts, Refutation>) {
        match outcome {
            Ok(counts) => self.counts += counts,
            Err(refutation) => self.refutation = Some((self.next, refutation)),
        }
        self.next += 1;
    }

    pub(super) fn took(&mut self, more: Duration) {
        self.took += more;
    }

    /// Returns the counts.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Returns whether neither a case nor all cases together violated the guarantee. Also `true` if no case could run.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.judgement().is_none()
    }

    /// Returns whether the proof could not run in this environment.
    #[must_use]
    pub fn is_hindered(&self) -> bool {
        self.hindrance.is_some()
    }

    /// Returns the violation.
    fn judgement(&self) -> Option<String> {
        match (&self.refutation, self.next > self.first) {
            (Some((_, refutation)), _) => Some(refutation.to_string()),
            (None, true) => self.proof.judge(&self.counts).err().map(|error| error.to_string()),
            (None, false) => None,
        }
    }

    /// Returns the arguments that reproduce a failure.
    fn replay(&self) -> String {
        let name = self.proof.name();
        match self.refutation {
            Some((seed, _)) => format!("--only {name} --seed {seed} --cases 1"),
            None => format!("--only {name} --seed {} --cases {}", self.first, self.next - self.first),
        }
    }
}

/// One line; two more for a violation.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { proof, first, next, counts, took, hindrance, .. } = self;
        let name = proof.name();
        if let Some(hindrance) = hindrance {
            return write!(f, "{name:<15} passed over: {hindrance}");
        }
        let broken = self.judgement();
        let verdict = if broken.is_some() { "BROKEN" } else { "holds" };
        write!(f, "{name:<15} {verdict:<7} seeds {first}..{next}: {counts} in {:.1} s", took.as_secs_f64())?;
        if let Some((unit, count)) = counts.main() {
            let rate = u128::from(count) * 1_000 / took.as_millis().max(1);
            write!(f, ", {} {unit}/s", Grouped(u64::try_from(rate).unwrap_or(u64::MAX)))?;
        }
        if let Some(broken) = broken {
            write!(f, "\n  promised: {}\n  found: {broken}", proof.promise())?;
            write!(f, "\n  replay: cargo run --release -p table-proofs -- {}", self.replay())?;
        }
        Ok(())
    }
}
