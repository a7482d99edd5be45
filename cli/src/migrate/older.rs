//! Rows that a new version of an entity does not read as such: those of older versions, and those without `EntityType`.

use serde_json::json;
use table_designs::{evolution::PlannedStep, schema::Schema};
use table_schema::{design::Origin, static_design::version_in};

use super::{execute::counts, outcome::JobResult, retire::lowest};
use crate::{
    entity_rows::{each_found, type_names},
    error::CommandError,
    location::Location,
    text::counted,
    untyped::Untyped,
};

/// The result of the check.
#[derive(Debug, Default)]
pub(super) struct Older {
    /// The number of rows without `EntityType`.
    pub(super) untyped: u64,
    pub(super) result: JobResult,
}

/// Counts the rows of older versions, or, for a step that only retires versions, of the retired ones, and the rows at
/// keys of the entity that contain no `EntityType`. Programs read the latter as the newest version, and `upgrade` does
/// not find them.
pub(super) async fn older(
    schema: &Schema,
    name: &str,
    step: Option<&PlannedStep<'_>>,
    place: &Location,
) -> Result<Older, CommandError> {
    let Some(entity) = schema.stored_entity(name) else { return Ok(Older::default()) };
    let names = type_names(&entity);
    let all = entity.row_kinds();
    let primary = all.iter().find(|rows| rows.origin == Origin::Primary);
    // Rows without a type are rows of such an entity.
    let found = primary.and_then(|rows| Some((rows, Untyped::of(&entity, rows.table.text())?)));
    let Some((primary, mut untyped)) = found else { return Ok(Older::default()) };
    let version = lowest(&entity, step);
    let mut older = 0;
    each_found(place, &entity, primary, |found| {
        // The RowKeys of the library's own rows.
        let entity_type = found.entity_type.filter(|_| !found.row.row_key.starts_with('!'));
        if let Some((name, written)) = entity_type.map(version_in) {
            let is_own = names.iter().any(|own| own == name);
            older += u64::from(is_own && written < version);
        }
        untyped.add(found);
    })
    .await?;
    Ok(result(&entity.name, primary.table.text(), older, &untyped))
}

fn result(entity: &str, table: &str, older: u64, untyped: &Untyped) -> Older {
    let mut parts = Vec::new();
    if older > 0 {
        parts.push(format!(
            "{} of an older version in `{table}`, with index rows; upgrade them with \
             `tables.upgrade::<{entity}>().run()`, and call `tables.catch_up()`, which completes index rows in other \
             partitions",
            counted(older, "row")
        ));
    }
    let count = untyped.count();
    let mut all = counts([("older", json!(older)), ("without_type", json!(count))]);
    if count > 0 {
        parts.push(untyped.text());
        all.insert("without_type_rows".to_owned(), untyped.rows());
    }
    let text = if parts.is_empty() { "no row of an older version".to_owned() } else { parts.join("; ") };
    let is_failed = older + count > 0;
    Older { untyped: count, result: JobResult { text, counts: all, is_failed, ..JobResult::default() } }
}
