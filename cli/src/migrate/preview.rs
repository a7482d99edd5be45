//! What the jobs of a plan would do: what would fail is found, and the rows that would be written or deleted are counted,
//! before anything is changed.

use std::fmt::Write;

use serde_json::json;
use table_designs::evolution::{Action, ChangeCode, IndexName, Task};
use table_patterns::{Difference, DifferenceKind};

use super::{
    Migration,
    execute::{counting, counts, removable, unique, unknown},
    means::{entity_of, tables},
    older::{Older, older},
    outcome::{JobResult, Outcome},
    retire::retirement,
};
use crate::{error::CommandError, location::Location, text::counted, untyped::Untyped};

/// Performs the remaining checks, and counts what the remaining jobs would change. Changes nothing.
pub(super) async fn preview(
    migration: &Migration<'_>,
    place: &Location,
    outcome: &mut Outcome,
) -> Result<(), CommandError> {
    let mut older_entities: Vec<&str> = Vec::new();
    let steps = migration.plan.steps.iter().enumerate().skip(outcome.done);
    for (at, step) in steps {
        let Action::Job(task) = &step.action else { continue };
        let result = match task {
            // The design does not find rows of older versions.
            Task::CheckUnique(of) if !older_entities.contains(&of.entity.as_str()) => {
                let designed = tables(place).design(migration.new, &of.entity)?;
                unique(&designed, &of.index, migration.arguments.max_rate).await?
            }
            // Rows of older versions are expected until a program has upgraded them.
            Task::CheckVersions(entity) => {
                let Older { untyped, mut result } = older(migration.new, entity, Some(step), place).await?;
                older_entities.extend(result.is_failed.then_some(entity.as_str()));
                // No program upgrades rows without a type.
                result.is_failed = untyped > 0;
                if retirement(place, migration.new, step).await?.is_some() {
                    result
                        .text
                        .push_str("; through the registry, the step first rejects programs that write one");
                }
                result
            }
            Task::DropIndex(of) | Task::DeleteRows(of) => deleted(migration, place, of).await?,
            Task::AddIndex(of) | Task::Reindex(of) => written(migration, place, of).await?,
            _ => continue,
        };
        outcome.results.push((at + 1, result));
    }
    // The index can be added under another name when no values are equal.
    for (at, change) in migration.plan.blocked.iter().enumerate() {
        let index = change.subject.split_once('.').map(|(_, index)| index);
        if let Some(index) = index.filter(|_| change.code == ChangeCode::C12)
            && let Ok(designed) = tables(place).design(migration.new, entity_of(change))
            && !designed.unjudged().iter().any(|one| one.name == index)
        {
            let result = unique(&designed, index, migration.arguments.max_rate).await?;
            outcome.blocked_results.push((at, result));
        }
    }
    outcome.stop_before_next(migration);
    Ok(())
}

/// Counts the rows that a removed index loses.
async fn deleted(
    migration: &Migration<'_>,
    place: &Location,
    of: &IndexName,
) -> Result<JobResult, CommandError> {
    let designed = tables(place).design(migration.old, &of.entity)?;
    let report = removable(&designed, &of.index, migration.arguments.max_rate).await?;
    let text = format!("would delete {}{}", counted(report.removed, "row"), unknown(report.left_count));
    Ok(JobResult {
        text,
        counts: counts([("would_delete", json!(report.removed)), ("left", json!(report.left_count))]),
        failures: report.left,
        left: report.left_count,
        is_failed: report.left_count > 0,
    })
}

/// Counts the rows that an index lacks, and lists the entities that the job would list: their row is held by another
/// row, or they cannot be read.
async fn written(
    migration: &Migration<'_>,
    place: &Location,
    of: &IndexName,
) -> Result<JobResult, CommandError> {
    let designed = tables(place).design(migration.new, &of.entity)?;
    let report = counting(designed.reindex(&of.index).dry_run(), migration.arguments.max_rate).await?;
    // A step before the job is complete when these entities have the version of the design.
    let is_upgraded =
        migration.plan.steps.iter().any(
            |step| matches!(&step.action, Action::Job(Task::CheckVersions(entity)) if *entity == of.entity),
        );
    let upgraded = if is_upgraded { report.other_versions.values().sum() } else { 0 };
    let left = report.without_count - upgraded;
    let is_left = |one: &Difference| !is_upgraded || one.what != DifferenceKind::OtherVersion;
    let (entities, rows) = (counted(report.entities, "entity"), counted(report.written, "row"));
    let mut text = format!("{entities}, would write {rows}");
    if left > 0 {
        _ = write!(text, ", {left} without a row");
    }
    if upgraded > 0 {
        _ = write!(text, ", and the rows of {} of older versions", counted(upgraded, "entity"));
    }
    let all = [("entities", report.entities), ("would_write", report.written), ("left", left)];
    let mut counts = counts(all.map(|(name, count)| (name, json!(count))));
    // The check of versions names these rows.
    let untyped = if is_upgraded { None } else { Untyped::find(place, migration.new, &of.entity).await? };
    if let Some(untyped) = &untyped {
        // The job selects entities by their type.
        _ = write!(text, "; the repair would write the rows of {}", untyped.text());
        counts.insert("without_type".to_owned(), json!(untyped.count()));
        counts.insert("without_type_rows".to_owned(), untyped.rows());
    }
    Ok(JobResult {
        text,
        counts,
        failures: report.without.into_iter().filter(is_left).collect(),
        left,
        is_failed: left > 0,
    })
}
