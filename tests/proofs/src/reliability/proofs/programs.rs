use crate::reliability::{
    programs::{Mistake, Trial},
    proof::{Counts, Depth, Proof, Refutation},
};

/// Average number of steps per program.
const STEPS: usize = 100;

/// Random programs compared with a model.
#[derive(Debug)]
pub(super) struct Programs;

impl Proof for Programs {
    fn name(&self) -> &'static str {
        "programs"
    }

    fn promise(&self) -> &'static str {
        "the store answers as a plain model does, on both engines"
    }

    fn cases_with_every_change(&self) -> u64 {
        // Without optimization, as in the tests, it takes several times as long.
        if cfg!(debug_assertions) { 400 } else { 2_000 }
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(Trial { steps: STEPS, mistake: None }.run(seed)?)
    }
}

/// Injected bugs: a program must differ from the model; otherwise its other results prove nothing.
#[derive(Debug)]
pub(super) struct Mistakes;

/// Number of programs within which a bug must be found.
const MOST: u64 = 100;
/// Maximum number of steps that show a bug.
const SUFFICE: usize = 3;

impl Proof for Mistakes {
    fn name(&self) -> &'static str {
        "programs-canary"
    }

    fn promise(&self) -> &'static str {
        "each planted mistake is found, and shown by a program of three steps"
    }

    fn cases_with_every_change(&self) -> u64 {
        Mistake::ALL.len() as u64
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let mistake = Mistake::ALL.into_iter().cycle().nth(usize::try_from(seed % 1_000)?);
        let trial = Trial { steps: STEPS, mistake };
        for number in 0..MOST {
            let Err(failure) = trial.run(seed.wrapping_mul(MOST).wrapping_add(number)) else { continue };
            let steps = failure.steps().len();
            if steps == 0 || steps > SUFFICE {
                return Err(failure);
            }
            let steps = steps as u64;
            return Ok(Counts::of([
                ("mistakes found", 1),
                ("programs before", number),
                ("steps left of those that show them", steps),
            ]));
        }
        Err(format!("{mistake:?} was not found in {MOST} programs").into())
    }
}
