//! Many programs, and a crash at every step of their disks.

use std::{
    fmt,
    time::{Duration, Instant},
};

use table_store::embedded::Durability;

use crate::{
    History, Platter, Seed, Violation,
    inspection::Inspection,
    program::{Program, Style},
    seed::setting,
};

/// A search for points at which a crash does harm.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The name of the test, for the command that replays a failure.
    pub name: &'static str,
    /// How requests are asked.
    pub style: Style,
    /// The store's durability.
    pub durability: Durability,
    /// Actions of each program.
    pub actions: usize,
    /// Whether the disk syncs when it says so.
    pub honest: bool,
    /// The seed of the first program.
    pub seed: u64,
    /// Points to check.
    pub points: u64,
}

/// What a campaign did.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The seed of the first program.
    pub seed: u64,
    /// Programs run.
    pub programs: u64,
    /// Requests that they made.
    pub requests: usize,
    /// Crashes, each at another step.
    pub points: u64,
    /// Crashes inside the recovery of these.
    pub nested: u64,
    /// Points at which a promise was broken.
    pub failed: u64,
    /// How long it took.
    pub took: Duration,
}

/// A promise that was broken, and how to see it again.
#[derive(Debug, thiserror::Error)]
#[error(
    "{violation}\nreplay: TABLE_SEED={seed} TABLE_POINTS={points} cargo test -p table-reliability --test crash {name}"
)]
pub struct Failure {
    name: &'static str,
    seed: u64,
    points: u64,
    violation: Violation,
}

impl Campaign {
    /// A campaign over as many points as `TABLE_POINTS` says, or `points`; its first seed is `TABLE_SEED`, or 1.
    #[must_use]
    pub fn new(name: &'static str, points: u64) -> Self {
        Self {
            name,
            style: Style::Single,
            durability: Durability::Full,
            actions: 20,
            honest: true,
            seed: setting("TABLE_SEED", 1),
            points: setting("TABLE_POINTS", points),
        }
    }

    /// Stops at the first promise that is broken.
    pub fn run(&self) -> Result<Figures, Failure> {
        self.search(&mut |failure| Err(failure))
    }

    /// Counts the points at which a promise is broken.
    pub fn count(&self) -> Result<Figures, Failure> {
        self.search(&mut |_| Ok(()))
    }

    fn search(&self, failed: &mut dyn FnMut(Failure) -> Result<(), Failure>) -> Result<Figures, Failure> {
        let started = Instant::now();
        let mut figures = Figures { seed: self.seed, ..Figures::default() };
        for number in self.seed.. {
            let failure = |points, violation| Failure { name: self.name, seed: number, points, violation };
            let mut seed = Seed::new(number);
            let program = Program::new(self.style).map_err(Violation::failed("naming tables"));
            let (program, history) = program
                .and_then(|program| {
                    let history = History::record(&program, self.durability, self.actions, &mut seed)?;
                    Ok((program, history))
                })
                .map_err(|violation| failure(1, violation))?;
            figures.programs += 1;
            figures.requests += history.requests();
            let begin = history.base.clone();
            let mut platter = if self.honest { Platter::new(begin) } else { Platter::lying(begin) };
            for point in 0..=history.steps.len() {
                if figures.points == self.points {
                    figures.took = started.elapsed();
                    return Ok(figures);
                }
                let mut seed = seed.fork(point as u64);
                let during = history.steps.get(point);
                let inspection = Inspection { program: &program, allowed: history.allowed_at(point) };
                let image = platter.crash(during, &mut seed);
                figures.points += 1;
                match inspection.of(image, 2, &mut seed) {
                    Ok(nested) => figures.nested += nested,
                    Err(violation) => {
                        figures.failed += 1;
                        failed(failure(point as u64 + 1, violation))?;
                    }
                }
                if let Some(step) = during {
                    platter.advance(step, &mut seed);
                }
            }
        }
        Ok(figures)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, programs, requests, points, nested, failed, took } = self;
        let rate = (points + nested) * 1_000 / u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
        write!(
            f,
            "seeds {seed}.., {programs} programs, {requests} requests, {points} crashes and {nested} more inside the \
             recovery in {:.1} s ({rate}/s): {failed} failed",
            took.as_secs_f64()
        )
    }
}
