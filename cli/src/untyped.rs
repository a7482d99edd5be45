//! Rows without `EntityType` at the keys of entities that have one.
//!
//! Programs read such a row as an entity of the newest version. Jobs that select rows by `EntityType`, such as `reindex`
//! and `upgrade`, do not find it.

use serde_json::{Value, json};
use table_designs::schema::Schema;
use table_schema::design::{EntityDesign, Origin};
use table_store::Entity;

use crate::{
    entity_rows::{Found, each_found, is_derived, type_names},
    error::CommandError,
    location::Location,
    text::{counted, plain},
};

/// Maximum number of rows that are named.
const MOST_NAMED: usize = 1_000;
/// Maximum number of rows that the text names.
const MOST_SHOWN: usize = 5;

/// Rows without `EntityType` at keys of an entity.
#[derive(Debug)]
pub(crate) struct Untyped {
    entity: String,
    table: String,
    /// The `EntityType` of the first version.
    entity_type: String,
    count: u64,
    named: Vec<Named>,
}

/// The address of a row, as text and as JSON.
#[derive(Debug)]
struct Named(String, Value);

impl Untyped {
    /// Creates an empty list for the entities of a design, in a table. Returns `None` if they have no type: then all of
    /// their rows have none.
    pub(crate) fn of(entity: &EntityDesign, table: &str) -> Option<Self> {
        let entity_type = type_names(entity).into_iter().next()?;
        let (entity, table) = (entity.name.clone(), table.to_owned());
        Some(Self { entity, table, entity_type, count: 0, named: Vec::new() })
    }

    /// Searches for such rows of an entity. Reads the keys of its table.
    pub(crate) async fn find(
        place: &Location,
        schema: &Schema,
        name: &str,
    ) -> Result<Option<Self>, CommandError> {
        let Some(entity) = schema.stored_entity(name) else { return Ok(None) };
        let all = entity.row_kinds();
        let primary = all.iter().find(|rows| rows.origin == Origin::Primary);
        let found = primary.and_then(|rows| Some((rows, Self::of(&entity, rows.table.text())?)));
        let Some((primary, mut untyped)) = found else { return Ok(None) };
        each_found(place, &entity, primary, |found| untyped.add(found)).await?;
        Ok((untyped.count > 0).then_some(untyped))
    }

    /// Adds a row if it is an entity without a type.
    pub(crate) fn add(&mut self, found: &Found<'_>) {
        let Found { table, row, entity_type, .. } = found;
        // The library's own rows, and those that it derives.
        let is_derived =
            row.row_key.starts_with('!') || is_derived(row) || row.properties.get("_st").is_some();
        if entity_type.is_some() || is_derived || !found.has_keys() {
            return;
        }
        self.count += 1;
        if self.named.len() < MOST_NAMED {
            self.named.push(Named::of(table.as_str(), row));
        }
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the remedy, with the first rows.
    pub(crate) fn text(&self) -> String {
        let Self { entity, table, entity_type, count, named } = self;
        let mut shown: Vec<&str> =
            named.iter().take(MOST_SHOWN).map(|Named(text, _)| text.as_str()).collect();
        let more = format!("and {} more", count.saturating_sub(shown.len() as u64));
        if *count > MOST_SHOWN as u64 {
            shown.push(&more);
        }
        format!(
            "{} without `EntityType` at keys of `{entity}` in `{table}`, of which no version is known: write their \
             `EntityType` (`{entity_type}` for version 1), for example with `tables import --mode merge`, or delete \
             them: {}",
            counted(*count, "row"),
            shown.join(", ")
        )
    }

    /// Returns the addresses of the rows.
    pub(crate) fn rows(&self) -> Value {
        self.named.iter().map(|Named(_, row)| row.clone()).collect()
    }
}

impl Named {
    fn of(table: &str, row: &Entity) -> Self {
        let (partition_key, row_key) = (&row.partition_key, &row.row_key);
        let quoted = |key: &str| plain(key).replace('\'', "''");
        Self(
            format!("{table}(PartitionKey='{}',RowKey='{}')", quoted(partition_key), quoted(row_key)),
            json!({ "table": table, "partition_key": partition_key, "row_key": row_key }),
        )
    }
}
