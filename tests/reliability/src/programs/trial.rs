//! One program, run; what fails is made small.

use std::{cell::Cell, fmt};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

use super::{Engine, Mistake, Program, Step, run::run, strategy};
use crate::{Seed, proof::Counts, violation::without_panic};

/// Runs of a program while it is made smaller.
const SIMPLIFICATIONS: u32 = 20_000;

/// Which program is run, and on what.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Steps of it, in the mean.
    pub steps: usize,
    /// A mistake that the store makes.
    pub mistake: Option<Mistake>,
}

/// A program on which store and model differ.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, in what is left of it.
    pub why: String,
    /// What is left of it.
    pub program: Option<Program>,
}

impl Trial {
    /// Runs the program of a seed: on the map if it is even, else on a file.
    pub fn run(&self, seed: u64) -> Result<Counts, Box<Failure>> {
        let failure = |why: &dyn fmt::Display, program| Box::new(Failure { why: why.to_string(), program });
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
            Err(TestError::Fail(why, program)) => {
                let program = shortest(program, &|program| test(program).is_err());
                Err(failure(&why, Some(program)))
            }
            Err(TestError::Abort(why)) => Err(failure(&why, None)),
        }
    }
}

/// The program without all steps that it fails without: some become needless when others are made simpler.
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
    /// The steps that are left of the program.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        self.program.as_ref().map_or(&[], |program| &program.steps)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relaxed = self.program.as_ref().is_some_and(|program| program.relaxed);
        write!(f, "{}\n  what is left of the program, relaxed {relaxed}:", self.why)?;
        self.steps().iter().try_for_each(|step| write!(f, "\n    {step:?}"))
    }
}

impl std::error::Error for Failure {}
