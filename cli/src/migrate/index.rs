//! Online changes of indexes through the states of the registry, and the state of a job there.

use std::time::Duration;

use table_designs::evolution::{Action, Task};
use table_patterns::{Difference, DifferenceKind, IndexChange, IndexStep};

use super::{
    Migration,
    execute::Execution,
    means::tables,
    outcome::{JobResult, Stop},
    retire::status,
};
use crate::{error::CommandError, location::Location, text::counted};

/// The end of an online change.
#[derive(Debug)]
pub(super) enum Ended {
    Done,
    Failed(JobResult),
    Stopped(Stop),
}

impl Execution<'_> {
    /// Performs an online change. The registry contains its state, so any process can continue.
    pub(super) async fn change(&self, name: &str, mut change: IndexChange) -> Result<Ended, CommandError> {
        if let Some(per_second) = self.migration.arguments.max_rate {
            change = change.max_rows_per_second(per_second);
        }
        let progress = self.progress();
        loop {
            match change.step().await? {
                IndexStep::Done => return Ok(Ended::Done),
                IndexStep::Moved(state) => {
                    progress.note(format_args!("{name}: {state}"));
                    progress.say(format!("{name}: {state}"));
                }
                IndexStep::Rows(rows) => progress.count(rows, "rows"),
                IndexStep::Stuck(failures) => {
                    let is_unknown = |one: &Difference| one.what == DifferenceKind::Unknown;
                    let text = if failures.iter().all(is_unknown) {
                        let rows = counted(failures.len(), "row");
                        format!(
                            "{rows} at its keys may be entities, or have properties of another client; move or delete them"
                        )
                    } else {
                        format!("{} cannot have a row", counted(failures.len(), "entity"))
                    };
                    return Ok(Ended::Failed(JobResult {
                        text,
                        left: failures.len() as u64,
                        failures,
                        is_failed: true,
                        ..JobResult::default()
                    }));
                }
                IndexStep::Wait(rest) if self.migration.arguments.no_wait => {
                    let reason = format!(
                        "programs can use the previous state of {name} for {} more; run the same command to continue",
                        shown(rest)
                    );
                    return Ok(Ended::Stopped(Stop::Unfinished(reason)));
                }
                IndexStep::Wait(rest) => {
                    progress.note(format_args!(
                        "{name}: waiting {}, until no program uses the previous state",
                        shown(rest)
                    ));
                    tokio::time::sleep(rest).await;
                }
                _ => {}
            }
            tokio::task::yield_now().await;
        }
    }
}

/// Returns the state of the index that a step adds or removes, or of the versions that it retires, and the rows that were
/// processed in this state. Returns `None` for other steps, and for an index that is not in the registry.
pub(super) async fn state(
    migration: &Migration<'_>,
    place: &Location,
    step: usize,
) -> Result<Option<String>, CommandError> {
    let (schema, of) = match migration.plan.steps.get(step).map(|step| &step.action) {
        Some(Action::Job(Task::AddIndex(of))) => (migration.new, of),
        Some(Action::Job(Task::DropIndex(of))) => (migration.old, of),
        Some(Action::Job(Task::CheckVersions(entity))) => return versions(migration, place, entity).await,
        _ => return Ok(None),
    };
    let designed = tables(place).design(schema, &of.entity)?;
    let indexes = designed.registered().await?.unwrap_or_default();
    let Some(status) = indexes.iter().find(|status| status.index == of.index) else { return Ok(None) };
    let mut text = format!("{} in the registry", status.state);
    if status.rows() > 0 {
        let (rows, changed) = (counted(status.rows(), "row"), counted(status.changed(), "index row"));
        text = format!("{text}, {rows} read, at least {changed} changed");
    }
    Ok(Some(text))
}

/// Returns the state of the retirement of the older versions of an entity.
async fn versions(
    migration: &Migration<'_>,
    place: &Location,
    entity: &str,
) -> Result<Option<String>, CommandError> {
    let Some(status) = status(place, migration.new, entity).await? else { return Ok(None) };
    let Some(state) = status.state else { return Ok(None) };
    let mut text =
        format!("{state} in the registry, writers before version {} are rejected", status.min_write);
    if status.rows() > 0 {
        text = format!("{text}, {} read", counted(status.rows(), "row"));
    }
    Ok(Some(text))
}

/// Returns a duration in whole seconds.
pub(super) fn shown(rest: Duration) -> String {
    format!("{} s", rest.as_secs() + u64::from(rest.subsec_nanos() > 0))
}
