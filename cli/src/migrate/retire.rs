//! Retirement of versions through the registry: their writers are rejected before the rows are searched.

use std::fmt::Write;

use serde_json::json;
use table_designs::{
    evolution::{Action, PlannedStep, Task},
    schema::Schema,
};
use table_patterns::{OlderRow, Retirement, RetirementStep, VersionStatus};
use table_schema::design::{EntityDesign, TemplateText};

use super::{
    Migration,
    execute::{Execution, counts},
    index::{Ended, shown},
    means::tables,
    outcome::{JobResult, Stop},
};
use crate::{error::CommandError, location::Location, text::counted};

/// Maximum number of rows that the text names.
const MOST_SHOWN: usize = 5;

/// Returns the lowest version that is to remain after a step: that of the design or, if the step only raises the oldest
/// version, the oldest one.
pub(super) fn lowest(entity: &EntityDesign, step: Option<&PlannedStep<'_>>) -> u32 {
    let is_retirement =
        step.is_some_and(|step| step.changes.iter().all(|(_, change)| change.is_retirement()));
    if is_retirement { entity.oldest } else { entity.version }
}

/// Returns the retirement that a step requires: the programs use the registry for the entity, and the migration changes
/// its version. Other checks of versions only precede a job by the design.
pub(super) async fn retirement(
    place: &Location,
    schema: &Schema,
    step: &PlannedStep<'_>,
) -> Result<Option<Retirement>, CommandError> {
    let Action::Job(Task::CheckVersions(name)) = &step.action else { return Ok(None) };
    if !step.changes.iter().any(|(_, change)| change.is_by_version()) {
        return Ok(None);
    }
    let tables = tables(place);
    let Some(entity) = schema.stored_entity(name).filter(|entity| entity.entity_type_value().is_some())
    else {
        return Ok(None);
    };
    if !tables.is_registered(schema, name).await? {
        return Ok(None);
    }
    // Commits of the entity are applied by its design, if that describes its rows.
    drop(tables.design(schema, name));
    Ok(Some(tables.retire_by_design(schema, name, lowest(&entity, Some(step)))?))
}

/// Returns the versions of the entity of a step in the registry.
pub(super) async fn status(
    place: &Location,
    schema: &Schema,
    name: &str,
) -> Result<Option<VersionStatus>, CommandError> {
    let Some(entity) = schema.stored_entity(name) else { return Ok(None) };
    let stored = entity.stored_as().unwrap_or(&entity.name);
    let table = entity.table.as_ref().map_or("", TemplateText::text);
    let mut all = tables(place).registered_versions().await?.into_iter();
    Ok(all.find(|status| status.entity == stored && status.table.eq_ignore_ascii_case(table)))
}

/// Lets programs of older versions write again, and returns a line for each entity.
pub(super) async fn accept_older(
    migration: &Migration<'_>,
    place: &Location,
) -> Result<String, CommandError> {
    let mut lines = String::new();
    for step in &migration.plan.steps {
        let Some(retirement) = retirement(place, migration.new, step).await? else { continue };
        retirement.cancel().await?;
        if let Action::Job(task) = &step.action {
            _ = writeln!(lines, "programs can write older versions of {}", task.entity());
        }
    }
    Ok(if lines.is_empty() { "no version is being retired\n".to_owned() } else { lines })
}

impl Execution<'_> {
    /// Performs a retirement.
    pub(super) async fn retire(
        &self,
        entity: &str,
        mut retirement: Retirement,
    ) -> Result<Ended, CommandError> {
        if let Some(per_second) = self.migration.arguments.max_rate {
            retirement = retirement.max_rows_per_second(per_second);
        }
        let progress = self.progress();
        loop {
            match retirement.step().await? {
                RetirementStep::Done => return Ok(Ended::Done),
                RetirementStep::Advanced(state) => {
                    progress.note(format_args!("{entity}: {state}"));
                    progress.say(format!("{entity}: {state}"));
                }
                RetirementStep::Rows(rows) => progress.count(rows, "rows"),
                RetirementStep::Stuck(rows) => return Ok(Ended::Failed(stuck(&rows))),
                RetirementStep::Wait(rest) if self.migration.arguments.no_wait => {
                    let reason = format!(
                        "programs can write older versions of {entity} for {} more; run the same command to continue",
                        shown(rest)
                    );
                    return Ok(Ended::Stopped(Stop::Unfinished(reason)));
                }
                RetirementStep::Wait(rest) => {
                    progress.note(format_args!(
                        "{entity}: waiting {}, until no program writes older versions",
                        shown(rest)
                    ));
                    tokio::time::sleep(rest).await;
                }
                _ => {}
            }
            tokio::task::yield_now().await;
        }
    }

    /// Returns the result of a completed retirement.
    pub(super) async fn retired(&self, entity: &str) -> Result<JobResult, CommandError> {
        let status = status(self.place, self.migration.new, entity).await?;
        let Some(floor) = status.and_then(|status| status.floor) else {
            return Ok(JobResult { text: "no older version exists".to_owned(), ..JobResult::default() });
        };
        let (version, rows) = (floor.version, counted(floor.rows, "row"));
        Ok(JobResult {
            text: format!(
                "the versions before {version} are retired: {rows} read since {}, none of an older version",
                floor.started
            ),
            counts: counts([
                ("retired_before", json!(version)),
                ("rows", json!(floor.rows)),
                ("started", json!(floor.started.to_string())),
            ]),
            ..JobResult::default()
        })
    }
}

fn stuck(rows: &[OlderRow]) -> JobResult {
    let named: Vec<String> = rows.iter().take(MOST_SHOWN).map(OlderRow::to_string).collect();
    let listed: Vec<_> = rows
        .iter()
        .map(|row| json!({ "row": row.address.to_string(), "version": row.version, "why": row.reason }))
        .collect();
    JobResult {
        text: format!("{} prevent the retirement: {}", counted(rows.len(), "row"), named.join("; ")),
        counts: counts([("older", json!(rows.len())), ("older_rows", json!(listed))]),
        is_failed: true,
        ..JobResult::default()
    }
}
