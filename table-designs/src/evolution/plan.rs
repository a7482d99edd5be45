//! The order in which the steps of all changes are performed.

mod steps;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use self::steps::steps;
use super::{Change, ChangeCode, Step, Verdict};
use crate::schema::Schema;

/// The steps of all changes in one order, from [`plan`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan<'c> {
    /// The steps, in order.
    pub steps: Vec<PlannedStep<'c>>,
    /// Steps that can follow at any time.
    pub later: Vec<(Step, &'c Change)>,
    /// Changes that cannot be performed with these two designs. If there are any, nothing may be performed.
    pub blocked: Vec<&'c Change>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep<'c> {
    /// What is done.
    pub action: Action,
    /// The changes that require the step, each with its own step of a deployment. Empty for the last verification.
    pub changes: Vec<(Step, &'c Change)>,
}

/// What a step of a plan does, and who performs it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// People deploy programs, or decide.
    Deployment(Step),
    /// A program performs a job that requires its code.
    Program(Step),
    /// A tool performs a job by the designs.
    Job(Task),
}

/// A job that requires only the designs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Finds entities with equal values of a unique index.
    CheckUnique(IndexName),
    /// Adds an index through the states of the registry.
    AddIndex(IndexName),
    /// Removes an index of the older design through the states of the registry.
    DropIndex(IndexName),
    /// Writes the missing and stale rows of an index.
    Reindex(IndexName),
    /// Compares the rows of all indexes of an entity, and repairs them.
    Repair(String),
    /// Deletes the rows of an index of the older design.
    DeleteRows(IndexName),
    /// Checks that no row of an entity has an older version.
    CheckVersions(String),
    /// Compares the rows of all indexes of an entity.
    Verify(String),
}

/// The name of an index or lookup, with its entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexName {
    /// Name of the entity.
    pub entity: String,
    /// Name of the index or lookup.
    pub index: String,
}

/// What a plan must know about a store and the tool that executes the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Means {
    /// The programs use the registry for this entity, so its indexes are added and removed online.
    pub is_registered: bool,
    /// The designs determine the rows of all indexes that the jobs need.
    pub is_by_design: bool,
    /// Rows of this entity can have an older version, which a design does not contain.
    pub is_versioned: bool,
}

impl Task {
    /// Returns the job as a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::CheckUnique(_) => "check-unique",
            Self::AddIndex(_) => "add-index",
            Self::DropIndex(_) => "drop-index",
            Self::Reindex(_) => "reindex",
            Self::Repair(_) => "repair",
            Self::DeleteRows(_) => "delete-rows",
            Self::CheckVersions(_) => "check-versions",
            Self::Verify(_) => "verify",
        }
    }

    /// Returns the entity.
    pub fn entity(&self) -> &str {
        match self {
            Self::CheckUnique(of)
            | Self::AddIndex(of)
            | Self::DropIndex(of)
            | Self::Reindex(of)
            | Self::DeleteRows(of) => &of.entity,
            Self::Repair(entity) | Self::CheckVersions(entity) | Self::Verify(entity) => entity,
        }
    }
}

impl Action {
    /// Returns the action as a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Deployment(step) | Self::Program(step) => step.as_str(),
            Self::Job(task) => task.as_str(),
        }
    }

    /// Returns the step of a deployment that the action performs.
    const fn step(&self) -> Step {
        match self {
            Self::Deployment(step) | Self::Program(step) => *step,
            Self::Job(Task::CheckUnique(_)) => Step::DuplicatesDryRun,
            Self::Job(Task::AddIndex(_)) => Step::AddIndex,
            Self::Job(Task::DropIndex(_) | Task::DeleteRows(_)) => Step::DropIndex,
            Self::Job(Task::Reindex(_)) => Step::Reindex,
            Self::Job(Task::CheckVersions(_)) => Step::Retire,
            Self::Job(Task::Repair(_) | Task::Verify(_)) => Step::Verify,
        }
    }
}

/// Returns the steps of all changes in one order: one sequence of deployments for all changes, with the jobs between
/// them. `new` is the newer design, and `means` returns what is known of the entity of a change. Each entity whose index
/// rows change is verified at the end.
pub fn plan<'c>(changes: &'c [Change], new: &Schema, means: &dyn Fn(&Change) -> Means) -> Plan<'c> {
    let mut plan = Plan::default();
    let mut waiting: Vec<Waiting<'c>> = Vec::new();
    for change in changes {
        match steps(change, new, means(change)) {
            Some(found) => {
                plan.later.extend(found.later.into_iter().map(|step| (step, change)));
                waiting.push(Waiting { change, actions: found.actions.into() });
            }
            None => plan.blocked.push(change),
        }
    }
    while plan.add_jobs(&mut waiting) || plan.add_deployment(&mut waiting) {}
    plan.add_verification();
    plan
}

/// The remaining actions of a change.
#[derive(Debug)]
struct Waiting<'c> {
    change: &'c Change,
    actions: VecDeque<Action>,
}

impl Waiting<'_> {
    /// Returns whether the action of another change must come first: a job that derives rows would ignore the rows of
    /// older versions, and these rows exist until a program has upgraded them.
    fn precedes(&self, entity: &str, action: &Action) -> bool {
        let is_first = |own: &Action| match action {
            Action::Job(Task::CheckUnique(_) | Task::AddIndex(_) | Task::Reindex(_) | Task::Repair(_)) => {
                matches!(own, Action::Job(Task::CheckVersions(_)) | Action::Program(Step::Upgrade))
            }
            Action::Job(Task::CheckVersions(_)) => matches!(own, Action::Program(Step::Upgrade)),
            _ => false,
        };
        parts(self.change).0 == entity && self.actions.iter().any(is_first)
    }
}

impl<'c> Plan<'c> {
    /// Adds the next job of each change that waits for no deployment. Returns whether there is one.
    fn add_jobs(&mut self, waiting: &mut [Waiting<'c>]) -> bool {
        let is_ready = |one: &Waiting<'c>| {
            let is_other = |other: &&Waiting<'c>| !std::ptr::eq(other.change, one.change);
            let entity = parts(one.change).0;
            one.actions.front().is_some_and(|action| {
                !matches!(action, Action::Deployment(_))
                    && !waiting.iter().filter(is_other).any(|other| other.precedes(entity, action))
            })
        };
        let ready: Vec<bool> = waiting.iter().map(is_ready).collect();
        for (one, _) in waiting.iter_mut().zip(&ready).filter(|(_, is_ready)| **is_ready) {
            if let Some(action) = one.actions.pop_front() {
                self.add(action, one.change);
            }
        }
        ready.contains(&true)
    }

    /// Adds the next deployment, with all changes that wait for it. Returns whether there is one.
    fn add_deployment(&mut self, waiting: &mut [Waiting<'c>]) -> bool {
        let next = |one: &Waiting<'c>| match one.actions.front() {
            Some(Action::Deployment(step)) => Some(*step),
            _ => None,
        };
        let first = [Step::StopReading, Step::DeployReaders];
        let first = first.into_iter().find(|first| waiting.iter().any(|one| next(one) == Some(*first)));
        // Otherwise all changes wait for the programs of the new version, which are deployed once.
        let is_next = |step: Step| first.is_none_or(|first| first == step);
        let mut planned =
            PlannedStep { action: Action::Deployment(first.unwrap_or(Step::Deploy)), changes: Vec::new() };
        for one in waiting {
            if let Some(step) = next(one).filter(|step| is_next(*step)) {
                one.actions.pop_front();
                planned.changes.push((step, one.change));
            }
        }
        let is_any = !planned.changes.is_empty();
        self.steps.extend(Some(planned).filter(|_| is_any));
        is_any
    }

    /// Adds a job, unless the same job comes after the last deployment already.
    fn add(&mut self, action: Action, change: &'c Change) {
        let is_deployment = |step: &PlannedStep<'c>| matches!(step.action, Action::Deployment(_));
        let after = self.steps.iter().rposition(is_deployment).map_or(0, |at| at + 1);
        let is_same = |planned: &&mut PlannedStep<'c>| {
            let of = |change: &Change| parts(change).0.to_owned();
            // One run moves or upgrades the entities for all changes.
            let is_of_entity = matches!(
                action,
                Action::Job(_) | Action::Program(Step::Upgrade | Step::UpgradeDryRun | Step::Backfill)
            );
            planned.action == action
                && is_of_entity
                && planned.changes.first().is_some_and(|(_, first)| of(first) == of(change))
        };
        if let Some(planned) = self.steps.iter_mut().skip(after).find(is_same) {
            planned.changes.push((action.step(), change));
        } else {
            let changes = vec![(action.step(), change)];
            self.steps.push(PlannedStep { action, changes });
        }
    }

    /// Adds the verification of the entities whose index rows are changed by jobs.
    fn add_verification(&mut self) {
        let mut entities: Vec<String> = Vec::new();
        for step in &self.steps {
            if let Action::Job(task) = &step.action
                && !matches!(task, Task::CheckUnique(_) | Task::CheckVersions(_))
                && !entities.iter().any(|entity| entity == task.entity())
            {
                entities.push(task.entity().to_owned());
            }
        }
        let steps = entities.into_iter().map(|entity| Action::Job(Task::Verify(entity)));
        self.steps.extend(steps.map(|action| PlannedStep { action, changes: Vec::new() }));
    }
}

/// Returns the entity and the part that a change concerns.
fn parts(change: &Change) -> (&str, &str) {
    change.subject.split_once('.').unwrap_or((&change.subject, ""))
}

/// Returns whether a change cannot be performed, whatever the means.
fn is_refused(change: &Change) -> bool {
    change.verdict == Verdict::Refused || matches!(change.code, ChangeCode::C12 | ChangeCode::C14)
}
