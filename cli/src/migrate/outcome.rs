use serde_json::{Map, Value};
use table_designs::evolution::Action;
use table_patterns::Difference;

use super::{Migration, position::Position};
use crate::text::counted;

/// What a run of the command did.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Number of steps that were complete before the run.
    pub(super) before: usize,
    /// Number of steps that are complete.
    pub(super) done: usize,
    count: usize,
    /// The results of jobs, by number of the step.
    pub(super) results: Vec<(usize, JobResult)>,
    /// The results of checks of blocked changes, by their position.
    pub(super) blocked_results: Vec<(usize, JobResult)>,
    pub(super) is_blocked: bool,
    /// The position in the next job, if only the plan and its progress are shown.
    pub(super) position: Option<Position>,
    /// The state of the index that the next job changes through the registry, if only the plan is shown.
    pub(super) registry: Option<String>,
    pub(super) stop: Option<Stop>,
}

/// Why a run ended before the last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The next step is a deployment or a job of a program.
    Person,
    /// The job must be continued, for this reason.
    Unfinished(String),
    /// The job found entities that must be changed first.
    Failed,
}

/// The result of a job.
#[derive(Debug, Default)]
pub(super) struct JobResult {
    pub(super) text: String,
    pub(super) counts: Map<String, Value>,
    /// Entities and rows that must be changed before the job can be completed.
    pub(super) failures: Vec<Difference>,
    /// Their number, including those that are not listed.
    pub(super) left: u64,
    pub(super) is_failed: bool,
}

impl Outcome {
    pub(super) const fn new(done: usize, count: usize) -> Self {
        Self {
            before: done,
            done,
            count,
            results: Vec::new(),
            blocked_results: Vec::new(),
            is_blocked: false,
            position: None,
            registry: None,
            stop: None,
        }
    }

    /// Exit code of a run that must be continued.
    pub(super) const UNFINISHED: u8 = 4;

    /// Returns the exit code.
    pub(super) fn exit(&self) -> u8 {
        match &self.stop {
            _ if self.is_blocked => 5,
            Some(Stop::Failed) => 1,
            Some(Stop::Person) => 3,
            Some(Stop::Unfinished(_)) => Self::UNFINISHED,
            None => 0,
        }
    }

    /// Returns the state of a step, with its number.
    pub(super) const fn state(&self, number: usize) -> &'static str {
        match number {
            _ if number <= self.done => "done",
            _ if number == self.done + 1 && !self.is_blocked => "next",
            _ => "open",
        }
    }

    pub(super) fn result(&self, number: usize) -> Option<&JobResult> {
        self.results.iter().find(|(of, _)| *of == number).map(|(_, result)| result)
    }

    /// Sets why nothing more was done, if only the plan was shown.
    pub(super) fn stop_before_next(&mut self, migration: &Migration<'_>) {
        let next = migration.plan.steps.get(self.done);
        if self.results.iter().any(|(_, result)| result.is_failed) {
            self.stop = Some(Stop::Failed);
        } else if let Some(step) = next {
            self.stop = Some(match step.action {
                Action::Job(_) => Stop::Unfinished(String::new()),
                _ => Stop::Person,
            });
        }
    }

    /// Returns the counts of a started job, if only the plan and its progress are shown.
    pub(super) fn progress(&self, number: usize) -> Option<String> {
        if number != self.done + 1 {
            return None;
        }
        let Position { entities, rows, changed, left, .. } = self.position.clone().unwrap_or_default();
        let parts =
            [(entities, "", "entity"), (rows, "", "index row"), (changed, "at least ", "changed row")];
        let parts = parts.into_iter().chain([(left, "", "failure")]).filter(|(count, ..)| *count > 0);
        // The rows of a page that was interrupted are changed, but not counted.
        let parts = parts.map(|(count, least, what)| format!("{least}{}", counted(count, what)));
        let parts: Vec<String> = self.registry.iter().cloned().chain(parts).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }
}
