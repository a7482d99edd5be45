//! What the registry's rows say.
//!
//! | RowKey | |
//! |---|---|
//! | `schema_<entity>` | the entity's indexes are kept here; one that has no row is not kept at all |
//! | `index_<entity>.<index>` | `state`, `definition`, `cursor` |
//! | `now_<job>` | written to learn the service's time |

use table_store::{ETag, Entity, Properties, RowRef, TableName, Timestamp, ValueRef};

use super::{IndexState, TABLE};
use crate::{
    Error,
    design::{Design, Index},
    tables::table_named,
};

const STATE: &str = "state";
const DEFINITION: &str = "definition";
const CURSOR: &str = "cursor";

/// What the registry says of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexStatus {
    /// The entity's name.
    pub entity: String,
    /// The index's name.
    pub index: String,
    /// How far it has come.
    pub state: IndexState,
    /// When its row was written last.
    pub since: Timestamp,
    /// Its templates and what it holds, as they were when it was added.
    pub(super) definition: String,
    /// How far the rows have been gone through, in states that go through rows.
    pub(super) cursor: Option<String>,
    pub(super) etag: ETag,
}

impl IndexStatus {
    /// None for a row that is something else.
    pub(super) fn read(row: RowRef<'_>) -> Option<Self> {
        let text = |name| match row.properties.get(name) {
            Some(ValueRef::String(text)) => Some(text),
            _ => None,
        };
        let (entity, index) = row.row_key?.strip_prefix("index_")?.split_once('.')?;
        Some(Self {
            entity: entity.to_owned(),
            index: index.to_owned(),
            state: IndexState::of(text(STATE)?)?,
            since: row.timestamp?,
            definition: text(DEFINITION)?.to_owned(),
            cursor: text(CURSOR).map(str::to_owned),
            etag: row.etag.clone(),
        })
    }
}

/// The entity whose indexes are kept here, if a row says so.
pub(super) fn schema(row: RowRef<'_>) -> Option<&str> {
    row.row_key?.strip_prefix("schema_")
}

/// The registry's table.
pub(super) fn table() -> Result<TableName, Error> {
    table_named(TABLE)
}

/// The partition of what is kept in an entity's table.
pub(super) fn partition(design: &Design) -> String {
    design.table.to_lowercase()
}

pub(super) fn index_row(design: &Design, index: &Index, state: IndexState, cursor: Option<String>) -> Entity {
    let mut properties = Properties::with_capacity(3);
    properties.push_new(STATE, state.name());
    properties.push_new(DEFINITION, definition(index));
    if let Some(cursor) = cursor {
        properties.push_new(CURSOR, cursor);
    }
    entity(design, format!("index_{}.{}", design.name, index.name), properties)
}

pub(super) fn schema_row(design: &Design) -> Entity {
    entity(design, format!("schema_{}", design.name), Properties::new())
}

pub(super) fn now_row(design: &Design, index: &Index) -> Entity {
    entity(design, format!("now_{}.{}", design.name, index.name), Properties::new())
}

fn entity(design: &Design, row_key: String, properties: Properties) -> Entity {
    Entity { partition_key: partition(design), row_key, properties }
}

/// What an index is, in words that change when it does.
pub(super) fn definition(index: &Index) -> String {
    let held: Vec<&str> = if index.whole { vec!["*"] } else { index.property_names().collect() };
    let list = index.lookup.as_ref().map_or("", |lookup| lookup.ids.unwrap_or("rows"));
    let unique = if index.unique { "unique" } else { "" };
    let parts = [index.table, index.partition.text, index.row.text, unique, list];
    serde_json::json!([parts, held]).to_string()
}
