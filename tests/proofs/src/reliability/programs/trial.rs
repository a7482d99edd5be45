//! One run of a program; a failing program is reduced.

use std::{cell::Cell, fmt};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

use super::{Engine, Mistake, Program, Step, run::run, strategy};
use crate::reliability::{Seed, proof::Counts, violation::without_panic};

/// Maximum number of runs during the reduction of a program.
const SIMPLIFICATIONS: u32 = 20_000;

/// The kind of program, and its store.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Average number of steps.
    pub steps: usize,
    /// The injected bug.
    pub mistake: Option<Mistake>,
}

/// A program for which store and model differ.
#[derive(Debug)]
pub struct Failure {
    /// The difference, in the reduced program.
    pub reason: String,
    /// The reduced program.
    pub program: Option<Program>,
}

impl Trial {
    /// Runs the program of a seed: on the map if the seed is even, otherwise on a file.
    ///
    /// # Errors
    /// Returns the failure with the reduced program if a response does not match the model.
    pub fn run(&self, seed: u64) -> Result<Counts, Box<Failure>> {
        let failure =
            |reason: &dyn fmt::Display, program| Box::new(Failure { reason: reason.to_string(), program });
        let config =
            Config { failure_persistence: None, max_shrink_iters: SIMPLIFICATIONS, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, rng(seed));
        let tree = strategy::program(self.steps).new_tree(&mut runner);
        let tree = tree.map_err(|reason| failure(&reason, None))?;
        let steps = Cell::new(0);
        let test = |program: Program| {
            steps.set(program.steps.len() as u64);
            without_panic("running a program", || run(&program, Engine::new(seed), self.mistake))
                .map_err(|violation| TestCaseError::fail(violation.to_string()))
        };
        match runner.run_one(tree, test) {
            Ok(_) => Ok(Counts::of([("steps", steps.get()), ("programs", 1)])),
            Err(TestError::Fail(reason, program)) => {
                let program = shortest(program, &|program| test(program).is_err());
                Err(failure(&reason, Some(program)))
            }
            Err(TestError::Abort(reason)) => Err(failure(&reason, None)),
        }
    }
}

/// Removes all steps without which the program still fails: some become unnecessary when others are simplified.
fn shortest(mut program: Program, fails: &dyn Fn(Program) -> bool) -> Program {
    let mut at = 0;
    while at < program.steps.len() {
        let mut shorter = program.clone();
        shorter.steps.remove(at);
        if fails(shorter.clone()) {
            (program, at) = (shorter, 0);
        } else {
            at += 1;
        }
    }
    program
}

fn rng(seed: u64) -> TestRng {
    let mut seed = Seed::new(seed);
    let bytes: Vec<u8> = (0..2).flat_map(|_| seed.draw().to_le_bytes()).collect();
    TestRng::from_seed(RngAlgorithm::XorShift, &bytes)
}

impl Failure {
    /// Returns the number of steps of the reduced program.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        self.program.as_ref().map_or(&[], |program| &program.steps)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relaxed = self.program.as_ref().is_some_and(|program| program.relaxed);
        write!(f, "{}\n  what is left of the program, relaxed {relaxed}:", self.reason)?;
        self.steps().iter().try_for_each(|step| write!(f, "\n    {step:?}"))
    }
}

impl std::error::Error for Failure {}
