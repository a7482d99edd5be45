//! Rows of the registry.
//!
//! | RowKey | content |
//! |---|---|
//! | `schema_<entity>` | marks an entity as registered; its indexes without a row are not maintained; the versions that programs may write, see `versions` |
//! | `index_<entity>.<index>` | `state`, `definition`; `cursor` and `changed` while rows are processed |
//! | `index_<entity>.!changes` | the changes of the entity are recorded |
//! | `now_<job>` | written to read the clock of the service |

use table_model::{ETag, Entity, Filter, Properties, Query, RowRef, TableName, Timestamp, ValueRef};

use super::{TABLE, definition::definition};
use crate::{
    Cursor, Error, RegistryError, Tables,
    core::{index_state::IndexState, table::table_named},
    design::{Design, Index},
};

const STATE: &str = "state";
const DEFINITION: &str = "definition";
pub(super) const CURSOR: &str = "cursor";
const CHANGED: &str = "changed";

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
    pub(crate) progress: IndexProgress,
    pub(crate) etag: ETag,
}

/// Progress of the job of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IndexProgress {
    pub(crate) cursor: Option<String>,
    /// Number of rows that were written or deleted.
    pub(crate) changed: u64,
}

impl IndexStatus {
    /// Reads the status. Returns `None` for a row that is not an index row.
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`] for an index row without a valid status.
    pub(crate) fn read(row: RowRef<'_>) -> Result<Option<Self>, RegistryError> {
        let stored = Stored(row);
        let names = row.row_key.and_then(|row_key| row_key.strip_prefix("index_")?.split_once('.'));
        let Some((entity, index)) = names else { return Ok(None) };
        Ok(Some(Self {
            entity: entity.to_owned(),
            index: index.to_owned(),
            state: stored.state(STATE, IndexState::of)?,
            since: stored.since()?,
            definition: stored.required(DEFINITION, stored.text(DEFINITION)?, TEXT)?.to_owned(),
            progress: IndexProgress {
                cursor: stored.cursor()?,
                changed: stored.count(CHANGED)?.unwrap_or_default(),
            },
            etag: row.etag.clone(),
        }))
    }

    /// Returns the number of table rows that the job of the current state has processed.
    pub fn rows(&self) -> u64 {
        rows_at(self.progress.cursor.as_ref())
    }

    /// Returns the number of index rows that the job of the current state has written or deleted. A page is counted
    /// when its position is stored, so more rows are possible if a process ended before that.
    pub const fn changed(&self) -> u64 {
        self.progress.changed
    }
}

/// Expected contents of properties, in errors.
pub(super) const TEXT: &str = "a string";
pub(super) const COUNT: &str = "an Int64 of 0 or more";

/// The properties of a registry row by type. `None` is a missing property; one of another type is an error.
#[derive(Clone, Copy)]
pub(super) struct Stored<'r>(pub(super) RowRef<'r>);

impl<'r> Stored<'r> {
    pub(super) fn text(self, name: &'static str) -> Result<Option<&'r str>, RegistryError> {
        match self.0.properties.get(name) {
            None => Ok(None),
            Some(ValueRef::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.unreadable(name, TEXT)),
        }
    }

    pub(super) fn count(self, name: &'static str) -> Result<Option<u64>, RegistryError> {
        match self.0.properties.get(name) {
            None => Ok(None),
            Some(ValueRef::Int64(count)) if count >= 0 => Ok(u64::try_from(count).ok()),
            Some(_) => Err(self.unreadable(name, COUNT)),
        }
    }

    pub(super) fn time(self, name: &'static str) -> Result<Option<Timestamp>, RegistryError> {
        match self.0.properties.get(name) {
            None => Ok(None),
            Some(ValueRef::DateTime(time)) => Ok(Some(time)),
            Some(_) => Err(self.unreadable(name, "a DateTime")),
        }
    }

    /// Returns the value of a property that every row of its kind has.
    pub(super) fn required<T>(
        self,
        name: &'static str,
        value: Option<T>,
        expected: &'static str,
    ) -> Result<T, RegistryError> {
        value.ok_or_else(|| self.unreadable(name, expected))
    }

    /// Returns the state with the name that is stored. A newer version of the library may have other states.
    pub(super) fn state<S>(
        self,
        name: &'static str,
        of: impl Fn(&str) -> Option<S>,
    ) -> Result<S, RegistryError> {
        self.required(name, self.text(name)?.and_then(of), "the name of a state")
    }

    /// Returns the time of the last write of the row.
    pub(super) fn since(self) -> Result<Timestamp, RegistryError> {
        self.required("Timestamp", self.0.timestamp, "a DateTime")
    }

    /// Returns the stored position of a job.
    pub(super) fn cursor(self) -> Result<Option<String>, RegistryError> {
        Ok(self.text(CURSOR)?.map(str::to_owned))
    }
}

/// Returns a number of rows as a property.
pub(super) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns the number of table rows that a job has processed at a stored position.
pub(super) fn rows_at(cursor: Option<&String>) -> u64 {
    let cursor = cursor.and_then(|cursor| cursor.parse::<Cursor>().ok());
    cursor.map_or(0, |cursor| cursor.given)
}

/// Returns the registered entity, if this is a schema row.
pub(crate) fn schema(row: RowRef<'_>) -> Option<&str> {
    row.row_key?.strip_prefix("schema_")
}

/// Passes the rows of the registry that satisfy a filter to `visit`. There are none if the registry does not exist.
pub(super) async fn each_row(
    tables: &Tables,
    filter: Filter,
    mut visit: impl FnMut(RowRef<'_>) + Send,
) -> Result<(), Error> {
    let mut query = Query { filter: Some(filter), ..Query::default() };
    loop {
        let segment = match tables.service().query(&table()?, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(()),
            other => other?,
        };
        segment.rows.iter().for_each(&mut visit);
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(());
        }
    }
}

/// Returns the name of the registry table.
pub(crate) fn table() -> Result<TableName, Error> {
    table_named(TABLE)
}

/// Returns the registry partition for the table of an entity.
pub(crate) fn partition(design: &Design) -> String {
    partition_of(design.table)
}

/// Returns the registry partition for a table or a template of tables.
pub(crate) fn partition_of(table: &str) -> String {
    table.to_lowercase()
}

pub(crate) fn index_row(
    design: &Design,
    index: &Index,
    state: IndexState,
    IndexProgress { cursor, changed }: IndexProgress,
) -> Entity {
    let mut properties = Properties::with_capacity(4);
    properties.push_new(STATE, state.name());
    properties.push_new(DEFINITION, definition(design, index));
    if let Some(cursor) = cursor {
        properties.push_new(CURSOR, cursor);
        properties.push_new(CHANGED, number(changed));
    }
    entity(design, index_key(design, index), properties)
}

/// Returns the RowKey of an index.
pub(super) fn index_key(design: &Design, index: &Index) -> String {
    format!("index_{}.{}", design.stored_name(), index.name)
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
