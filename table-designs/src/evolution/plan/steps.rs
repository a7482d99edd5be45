//! The steps of one change, by who performs them.

use super::{Action, IndexName, Means, Task, is_refused, parts};
use crate::{
    evolution::{Change, ChangeCode, Step},
    schema::Schema,
};

/// The steps of a change.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) actions: Vec<Action>,
    pub(super) later: Vec<Step>,
}

/// Returns the steps of a change, or `None` if these two designs do not allow it.
pub(super) fn steps(change: &Change, new: &Schema, means: Means) -> Option<Steps> {
    if is_refused(change) {
        return None;
    }
    let actions = match change.code {
        // The program registers its feed.
        _ if change.is_feed() => return Some(others(change)),
        ChangeCode::C09 => added(change, new, means),
        ChangeCode::C10 => dropped(change, means),
        // The registry rejects another definition under the same name.
        ChangeCode::C11 | ChangeCode::C13 if means.is_registered => return None,
        ChangeCode::C11 if change.rewrite => copied(change, means),
        ChangeCode::C32 if change.rewrite => repaired(change, means),
        // No program reads both forms of a value under one version.
        ChangeCode::C20 | ChangeCode::C27 if change.rewrite && !change.is_by_version() => return None,
        // One job of the program moves the entities through all states.
        ChangeCode::C15 | ChangeCode::C17 | ChangeCode::C18 => {
            vec![Action::Deployment(Step::Deploy), Action::Program(Step::Backfill)]
        }
        _ => return Some(others(change)),
    };
    Some(Steps { actions, later: Vec::new() })
}

/// A new index or lookup.
fn added(change: &Change, new: &Schema, means: Means) -> Vec<Action> {
    let of = name(change);
    let deploy = Action::Deployment(Step::Deploy);
    if !means.is_by_design {
        return vec![deploy, Action::Program(Step::AddIndex)];
    }
    let mut actions = Vec::new();
    let entity = new.entity(&of.entity);
    let index = entity.and_then(|entity| entity.indexes.iter().find(|index| index.name == of.index));
    let unique = index.filter(|index| index.unique).map(|_| Action::Job(Task::CheckUnique(of.clone())));
    if means.is_versioned {
        // The design does not find rows of older versions.
        actions.push(deploy);
        actions.extend(versions(&of, means));
        actions.extend(unique);
    } else {
        // Before the deployment, so that equal values are found early.
        actions.extend(unique);
        actions.push(deploy);
    }
    if means.is_registered {
        actions.push(Action::Job(Task::AddIndex(of)));
    } else {
        let entity = of.entity.clone();
        actions.extend([Action::Job(Task::Reindex(of)), Action::Job(Task::Repair(entity))]);
    }
    actions
}

/// A removed index or lookup.
fn dropped(change: &Change, means: Means) -> Vec<Action> {
    let of = name(change);
    let job = if means.is_by_design {
        let job = if means.is_registered { Task::DropIndex(of) } else { Task::DeleteRows(of) };
        Action::Job(job)
    } else {
        Action::Program(Step::DropIndex)
    };
    let deploy = Action::Deployment(Step::Deploy);
    if means.is_registered {
        // Programs without the declaration cannot write while the registry contains the index.
        vec![Action::Deployment(Step::StopReading), job, deploy]
    } else {
        vec![deploy, job]
    }
}

/// More copied fields of an index, without the registry.
fn copied(change: &Change, means: Means) -> Vec<Action> {
    let of = name(change);
    let mut actions = vec![Action::Deployment(Step::Deploy)];
    if means.is_by_design {
        actions.extend(versions(&of, means));
        let entity = of.entity.clone();
        actions.extend([Action::Job(Task::Reindex(of)), Action::Job(Task::Repair(entity))]);
    } else {
        actions.push(Action::Program(Step::Reindex));
    }
    actions
}

/// A field of soft deletes that decides which of the stored entities have index rows.
fn repaired(change: &Change, means: Means) -> Vec<Action> {
    let of = name(change);
    let purge = change.steps.contains(&Step::Purge).then_some(Action::Program(Step::Purge));
    let mut actions: Vec<Action> = purge.into_iter().chain([Action::Deployment(Step::Deploy)]).collect();
    if means.is_by_design {
        actions.extend(versions(&of, means));
        actions.push(Action::Job(Task::Repair(of.entity)));
    } else {
        actions.push(Action::Program(Step::Verify));
    }
    actions
}

/// Designs do not contain older versions, so a job by a design would ignore their rows.
fn versions(of: &IndexName, means: Means) -> Option<Action> {
    means.is_versioned.then(|| Action::Job(Task::CheckVersions(of.entity.clone())))
}

/// A change whose jobs require the code of a program.
fn others(change: &Change) -> Steps {
    let is_version = change.is_by_version();
    let mut steps = Steps::default();
    for step in change.steps.iter().copied() {
        match step {
            Step::Deploy
            | Step::DeployReaders
            | Step::DeployWriters
            | Step::StopReading
            | Step::BorderDate
            | Step::AddTotal
            | Step::VerifyLimits => steps.actions.push(Action::Deployment(step)),
            Step::Retire | Step::Gone => steps.later.push(step),
            Step::Upgrade if is_version => {
                let entity = parts(change).0.to_owned();
                // Rows of retired versions are an exception, which the check reports with the remedy.
                steps.actions.extend((!change.is_retirement()).then_some(Action::Program(step)));
                steps.actions.push(Action::Job(Task::CheckVersions(entity)));
            }
            _ => steps.actions.push(Action::Program(step)),
        }
    }
    steps
}

fn name(change: &Change) -> IndexName {
    let (entity, index) = parts(change);
    IndexName { entity: entity.to_owned(), index: index.to_owned() }
}
