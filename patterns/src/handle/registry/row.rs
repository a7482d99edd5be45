//! Rows of the registry.
//!
//! | RowKey | content |
//! |---|---|
//! | `schema_<entity>` | marks an entity as registered; its indexes without a row are not maintained |
//! | `index_<entity>.<index>` | `state`, `definition`, `cursor` |
//! | `index_<entity>.!changes` | the changes of the entity are recorded |
//! | `now_<job>` | written to read the clock of the service |

use table_model::{ETag, Entity, Properties, RowRef, TableName, Timestamp, ValueRef};

use super::{TABLE, definition::definition};
use crate::{
    Error,
    core::{index_state::IndexState, table::table_named},
    design::{Design, Index},
};

const STATE: &str = "state";
const DEFINITION: &str = "definition";
const CURSOR: &str = "cursor";

/// Name of the change feed among the indexes of an entity. A program that does not declare the feed does not know this
/// index, and must not write.
pub(crate) const FEED: &str = "!changes";

/// Status of an index in the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexStatus {
    /// Name of the entity.
    pub entity: String,
    /// Name of the index.
    pub index: String,
    /// State of the index.
    pub state: IndexState,
    /// Time of the last write of the registry row.
    pub since: Timestamp,
    /// Key templates and properties of the index when it was added.
    pub(crate) definition: String,
    /// Progress in states that process rows.
    pub(crate) cursor: Option<String>,
    pub(crate) etag: ETag,
}

impl IndexStatus {
    /// Reads the status. Returns `None` for a row that is not an index row.
    pub(crate) fn read(row: RowRef<'_>) -> Option<Self> {
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

/// Returns the registered entity, if this is a schema row.
pub(crate) fn schema(row: RowRef<'_>) -> Option<&str> {
    row.row_key?.strip_prefix("schema_")
}

/// Returns the name of the registry table.
pub(crate) fn table() -> Result<TableName, Error> {
    table_named(TABLE)
}

/// Returns the registry partition for the table of an entity.
pub(crate) fn partition(design: &Design) -> String {
    design.table.to_lowercase()
}

pub(crate) fn index_row(design: &Design, index: &Index, state: IndexState, cursor: Option<String>) -> Entity {
    let mut properties = Properties::with_capacity(3);
    properties.push_new(STATE, state.name());
    properties.push_new(DEFINITION, definition(design, index));
    if let Some(cursor) = cursor {
        properties.push_new(CURSOR, cursor);
    }
    entity(design, format!("index_{}.{}", design.stored_name(), index.name), properties)
}

/// Returns the row of the change feed, if the entity has one.
pub(crate) fn feed_row(design: &Design) -> Option<Entity> {
    design.changes?;
    let mut properties = Properties::with_capacity(2);
    properties.push_new(STATE, IndexState::Readable.name());
    properties.push_new(DEFINITION, FEED);
    Some(entity(design, format!("index_{}.{FEED}", design.stored_name()), properties))
}

pub(crate) fn schema_row(design: &Design) -> Entity {
    entity(design, format!("schema_{}", design.stored_name()), Properties::new())
}

pub(crate) fn now_row(design: &Design, index: &Index) -> Entity {
    entity(design, format!("now_{}.{}", design.stored_name(), index.name), Properties::new())
}

fn entity(design: &Design, row_key: String, properties: Properties) -> Entity {
    Entity { partition_key: partition(design), row_key, properties }
}
