//! A program, and a crash at every step of its disk.

use table_store::{Durability, LogMode};

use crate::reliability::{
    History, Platter, Seed, Violation,
    inspection::Inspection,
    platter::Medium,
    program::{Program, Style},
    proof::Counts,
};

/// Number of actions per program.
const ACTIONS: usize = 20;

/// A search for points at which a crash causes a violation.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The way in which requests are sent.
    pub style: Style,
    /// The store's durability.
    pub durability: Durability,
    /// The disk.
    pub medium: Medium,
}

impl Campaign {
    /// Crashes at each step of program `number`, and passes each violation to `broken`. The search continues if
    /// `broken` returns `Ok`.
    ///
    /// # Errors
    /// Returns the error of `broken`, and a violation if the program fails without a crash.
    pub fn search(
        &self,
        number: u64,
        broken: &mut dyn FnMut(Violation) -> Result<(), Violation>,
    ) -> Result<Counts, Violation> {
        let mut seed = Seed::new(number);
        let program = Program::new(self.style).map_err(Violation::failed("naming tables"))?;
        // A third of the stores have no log.
        let log = if number.is_multiple_of(3) { LogMode::Off } else { LogMode::Inline };
        let history = History::record(&program, self.durability, log, ACTIONS, &mut seed)?;
        let mut platter = Platter::new(history.base.clone(), self.medium);
        let (mut nested, mut failed) = (0, 0);
        for point in 0..=history.steps.len() {
            let mut seed = seed.fork(point as u64);
            let during = history.steps.get(point);
            let allowed = history.allowed_at(point);
            let inspection = Inspection { program: &program, log, allowed, medium: self.medium };
            match inspection.of(platter.crash(during, &mut seed), 2, &mut seed) {
                Ok(deeper) => nested += deeper,
                Err(violation) => {
                    failed += 1;
                    broken(violation)?;
                }
            }
            if let Some(step) = during {
                platter.advance(step, &mut seed);
            }
        }
        let crashes = history.steps.len() as u64 + 1;
        Ok(Counts::of([
            ("crashes", crashes + nested),
            ("of them inside a recovery", nested),
            ("with a promise broken", failed),
            ("programs", 1),
            ("requests", history.requests() as u64),
        ]))
    }
}
