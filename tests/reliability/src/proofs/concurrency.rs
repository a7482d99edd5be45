use crate::{
    concurrency::{Bug, Trial, Verdict, file, linearize, trial::Why},
    proof::{Counts, Depth, Proof, Refutation},
};

/// Small histories of concurrent clients.
#[derive(Debug)]
pub(super) struct Histories;

impl Proof for Histories {
    fn name(&self) -> &'static str {
        "histories"
    }

    fn promise(&self) -> &'static str {
        "what concurrent clients see is explained by some order of their calls, in each partition"
    }

    fn cases_with_every_change(&self) -> u64 {
        // Without optimisation, as in the tests, they take several times as long.
        if cfg!(debug_assertions) { 300 } else { 1_000 }
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(Trial::default().run(seed)?)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let unsure = counts.get("histories too long to tell");
        let few = unsure * 1_000 <= counts.get("histories");
        if few { Ok(()) } else { Err(format!("of {unsure} histories it would take too long to tell").into()) }
    }
}

/// Long histories, in the order of their times.
#[derive(Debug)]
pub(super) struct Times;

impl Proof for Times {
    fn name(&self) -> &'static str {
        "times"
    }

    fn promise(&self) -> &'static str {
        "what concurrent clients see is explained by the order of the timestamps"
    }

    fn cases_with_every_change(&self) -> u64 {
        4
    }

    fn try_case(&self, seed: u64, depth: Depth) -> Result<Counts, Refutation> {
        let calls = if depth == Depth::Full { 10_000 } else { 5_000 };
        Ok(Trial { timed: Some(calls), bug: None }.run(seed)?)
    }
}

/// Bugs between the clients and the store: here the judge must refute a history, or it proves nothing elsewhere.
#[derive(Debug)]
pub(super) struct Planted;

/// Histories within which a bug must be found.
const MOST: u64 = 1_000;

impl Proof for Planted {
    fn name(&self) -> &'static str {
        "histories-canary"
    }

    fn promise(&self) -> &'static str {
        "each planted bug is found within a thousand histories"
    }

    fn cases_with_every_change(&self) -> u64 {
        Bug::ALL.len() as u64
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let bug = Bug::ALL.into_iter().cycle().nth(usize::try_from(seed % 1_000)?);
        let trial = Trial { timed: None, bug };
        for number in 0..MOST {
            let Err(failure) = trial.run(seed.wrapping_mul(MOST).wrapping_add(number)) else { continue };
            let Why::Refuted(_) = failure.why else { return Err(failure) };
            let kept = file::read(&failure.file)?;
            if !matches!(linearize::judge(&kept), Verdict::Refuted { .. }) {
                return Err(format!("{bug:?}: what was kept of a refuted history is not refuted").into());
            }
            return Ok(Counts::of([
                ("bugs found", 1),
                ("histories before", number),
                ("calls left of those that show them", kept.len() as u64),
            ]));
        }
        Err(format!("{bug:?} was not found in {MOST} histories").into())
    }
}
