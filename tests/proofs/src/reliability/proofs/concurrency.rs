use crate::reliability::{
    concurrency::{Bug, Trial, Verdict, file, linearize, trial::Why, witness},
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
        // Without optimization, as in the tests, it takes several times as long.
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

/// Long histories, checked in the order of their times.
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
        let counts = Trial { timed: Some(calls), bug: None }.run(seed)?;
        Ok(Counts::of([("calls", counts.get("calls")), ("histories", counts.get("histories"))]))
    }
}

/// Bugs between the clients and the store: the checker must refute a history; otherwise its other results prove
/// nothing.
#[derive(Debug)]
pub(super) struct Planted;

/// Number of histories within which a bug must be found.
const MOST: u64 = 1_000;

impl Proof for Planted {
    fn name(&self) -> &'static str {
        "histories-canary"
    }

    fn promise(&self) -> &'static str {
        "each planted bug is found by both judges within a thousand histories"
    }

    fn cases_with_every_change(&self) -> u64 {
        Bug::ALL.len() as u64
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let bug = Bug::ALL.into_iter().cycle().nth(usize::try_from(seed % 1_000)?);
        let mut counts = Counts::default();
        for timed in [None, Some(200)] {
            counts += find(Trial { timed, bug }, seed.wrapping_mul(MOST))?;
        }
        Ok(counts)
    }
}

/// Searches for a history that shows the bug, and checks its stored form again.
fn find(trial: Trial, first: u64) -> Result<Counts, Refutation> {
    for number in 0..MOST {
        let Err(failure) = trial.run(first.wrapping_add(number)) else { continue };
        let kept = file::read(&failure.file)?;
        let again = match failure.reason {
            Why::Refuted(_) => matches!(linearize::judge(&kept), Verdict::Refuted { .. }),
            Why::Objection(_) => witness::judge(&kept).is_err(),
            Why::Violation(_) => return Err(failure),
        };
        if !again {
            return Err(format!("{trial:?}: what was kept of a history is explained").into());
        }
        return Ok(Counts::of([("bugs found", 1), ("histories before", number)]));
    }
    Err(format!("{trial:?}: the bug was not found in {MOST} histories").into())
}
