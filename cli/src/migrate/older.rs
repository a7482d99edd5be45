//! Rows that a new version of an entity does not read as such: those of older versions, and those without `EntityType`.

use serde_json::json;
use table_schema::{
    design::Origin, evolution::PlannedStep, key::KeyKind, schema::Schema, static_design::version_in,
};

use super::{
    execute::counts,
    keys::{is_derived, type_names},
    outcome::JobResult,
};
use crate::{
    entity_table::is_named,
    error::CommandError,
    location::{Location, list_tables},
    progress::Progress,
    text::{counted, plain},
    versions::each_row,
};

/// Maximum number of rows that are named.
const MOST_NAMED: usize = 1_000;
/// Maximum number of rows that the text names.
const MOST_SHOWN: usize = 5;

/// The address of a row, as text and as JSON.
#[derive(Debug)]
struct Named(String, serde_json::Value);

/// The result of the check.
#[derive(Debug, Default)]
pub(super) struct Older {
    /// The number of rows without `EntityType`.
    pub(super) untyped: u64,
    pub(super) result: JobResult,
}

/// The rows that prevent a new version.
#[derive(Debug, Default)]
struct Found {
    older: u64,
    untyped: u64,
    named: Vec<Named>,
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
    // Rows without a type are rows of such an entity.
    let Some(own) = names.first() else { return Ok(Older::default()) };
    let all = entity.row_kinds();
    let Some(kind) = all.iter().find(|kind| kind.origin == Origin::Primary) else {
        return Ok(Older::default());
    };
    let is_retirement =
        step.is_some_and(|step| step.changes.iter().all(|(_, change)| change.is_retirement()));
    let version = if is_retirement { entity.oldest } else { entity.version };
    let siblings = entity.sibling_literals(kind);
    let siblings: Vec<&str> = siblings.iter().map(String::as_str).collect();
    let partition = kind.partition.form(KeyKind::Partition).apart_from(&siblings);
    let row = kind.row.form(KeyKind::Row);
    let mut found = Found::default();
    let progress = Progress::of_unknown();
    for table in list_tables(&*place.tables).await? {
        if !is_named(&kind.table, table.as_str()) {
            continue;
        }
        let look = |stored: &table_store::Entity, entity_type: Option<&str>| {
            // The RowKeys of the library's own rows.
            if stored.row_key.starts_with('!') {
                return;
            }
            if let Some((name, written)) = entity_type.map(version_in) {
                let is_own = names.iter().any(|own| own == name);
                found.older += u64::from(is_own && written < version);
                return;
            }
            // Only rows that the library derives have a state.
            let is_entity = !is_derived(stored)
                && stored.properties.get("_st").is_none()
                && partition.decode(&stored.partition_key).is_ok()
                && row.decode(&stored.row_key).is_ok();
            if is_entity {
                found.untyped(table.as_str(), stored);
            }
        };
        each_row(&*place.tables, &table, &progress, look).await?;
    }
    Ok(found.result(&entity.name, kind.table.text(), own))
}

impl Found {
    fn untyped(&mut self, table: &str, row: &table_store::Entity) {
        self.untyped += 1;
        if self.named.len() < MOST_NAMED {
            let (partition_key, row_key) = (&row.partition_key, &row.row_key);
            let quoted = |key: &str| plain(key).replace('\'', "''");
            self.named.push(Named(
                format!("{table}(PartitionKey='{}',RowKey='{}')", quoted(partition_key), quoted(row_key)),
                json!({ "table": table, "partition_key": partition_key, "row_key": row_key }),
            ));
        }
    }

    fn result(self, entity: &str, table: &str, own: &str) -> Older {
        let Self { older, untyped, named } = self;
        let mut parts = Vec::new();
        if older > 0 {
            parts.push(format!(
                "{} of an older version in `{table}`, with index rows; upgrade them with \
                 `tables.upgrade::<{entity}>().run()`, and call `tables.catch_up()`, which completes index rows in \
                 other partitions",
                counted(older, "row")
            ));
        }
        if untyped > 0 {
            let mut shown: Vec<&str> =
                named.iter().take(MOST_SHOWN).map(|Named(text, _)| text.as_str()).collect();
            let more = format!("and {} more", untyped - shown.len() as u64);
            if untyped > MOST_SHOWN as u64 {
                shown.push(&more);
            }
            parts.push(format!(
                "{} without `EntityType` at keys of `{entity}` in `{table}`, of which no version is known: write \
                 their `EntityType` (`{own}` for version 1), for example with `tables import --mode merge`, or delete \
                 them: {}",
                counted(untyped, "row"),
                shown.join(", ")
            ));
        }
        let text = if parts.is_empty() { "no row of an older version".to_owned() } else { parts.join("; ") };
        let rows: Vec<serde_json::Value> = named.into_iter().map(|Named(_, row)| row).collect();
        let mut all = counts([("older", json!(older)), ("without_type", json!(untyped))]);
        if untyped > 0 {
            all.insert("without_type_rows".to_owned(), json!(rows));
        }
        let is_failed = older + untyped > 0;
        Older { untyped, result: JobResult { text, counts: all, is_failed, ..JobResult::default() } }
    }
}
