//! The jobs of a plan that only read: what would fail is found before anything is written.

use table_schema::evolution::{Action, ChangeCode, Task};

use super::{
    Migration,
    execute::{older, unique},
    means::{entity_of, tables},
    outcome::Outcome,
};
use crate::{error::CommandError, location::Location};

/// Performs the remaining checks. Changes nothing.
pub(super) async fn preview(
    migration: &Migration<'_>,
    place: &Location,
    outcome: &mut Outcome,
) -> Result<(), CommandError> {
    let mut older_entities: Vec<&str> = Vec::new();
    let steps = migration.plan.steps.iter().enumerate().skip(outcome.done);
    for (at, step) in steps {
        let result = match &step.action {
            // The design does not find rows of older versions.
            Action::Job(Task::CheckUnique(of)) if !older_entities.contains(&of.entity.as_str()) => {
                let designed = tables(place).design(migration.new, &of.entity)?;
                unique(&designed, &of.index, migration.arguments.max_rate).await?
            }
            // Rows of older versions are expected until a program has upgraded them.
            Action::Job(Task::CheckVersions(entity)) => {
                let mut result = older(migration.new, entity, Some(step), place).await?;
                older_entities.extend(result.is_failed.then_some(entity.as_str()));
                result.is_failed = false;
                result
            }
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
