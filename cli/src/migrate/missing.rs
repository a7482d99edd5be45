//! Tables that do not exist: a migration of a store that contains no entity would be complete at once.

use table_designs::{
    evolution::{Change, Plan},
    schema::Schema,
};
use table_schema::template::Template;
use table_store::TableName;

use super::means::entity_of;
use crate::{
    entity_table::{is_named, table_of},
    error::CommandError,
    location::{Location, list_tables},
};

/// Checks that the entities whose stored form changes have a table, by the older or the newer design.
///
/// # Errors
/// Returns an error that names the entity and its table.
pub(super) async fn check(
    place: &Location,
    (old, new): (&Schema, &Schema),
    plan: &Plan<'_>,
) -> Result<(), CommandError> {
    let all: Vec<TableName> = list_tables(&*place.tables).await?;
    let changes = plan.steps.iter().flat_map(|step| &step.changes);
    let is_found = |template: &Template| all.iter().any(|table| is_named(template, table.as_str()));
    for change in changes.map(|(_, change)| *change) {
        let Some(before) = old.entity(entity_of(change)) else { continue };
        let Some(table) = table_of(before) else { continue };
        let after = new.entity(entity_of(change)).and_then(table_of);
        if !is_found(&table) && !after.is_some_and(|after| is_found(&after)) {
            return Err(CommandError::Unfinished(missing(change, table.text())));
        }
    }
    Ok(())
}

fn missing(change: &Change, table: &str) -> String {
    format!(
        "the store has no table `{table}` of `{}`, so nothing would be migrated; correct the table in the design or the \
         store, or accept it with --no-rows",
        entity_of(change)
    )
}
