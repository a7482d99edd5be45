//! The versions of an entity that programs may write, in its registry row.
//!
//! | property of `schema_<entity>` | content |
//! |---|---|
//! | `min_write` | the lowest version that programs may write; absent if every version may be written |
//! | `retirement` | the state of the retirement of the versions before `min_write` |
//! | `cursor`, `started` | the position in this state, and the time at which the scan started |
//! | `floor` | the lowest version that rows can have |
//! | `floor_rows`, `floor_started` | the proof of the floor: the rows that the scan read, and the time at which it started |
//!
//! A library that does not know these properties ignores them.

use table_model::{ETag, Entity, Filter, Properties, RowRef, Timestamp};

use super::row::{COUNT, CURSOR, Stored, each_row, number, partition_of, rows_at, schema};
use super::unreadable::Unreadable;
use crate::{Pending, RegistryError, Tables, core::retirement_state::RetirementState};

const MIN_WRITE: &str = "min_write";
const STATE: &str = "retirement";
const STARTED: &str = "started";
const FLOOR: &str = "floor";
const FLOOR_ROWS: &str = "floor_rows";
const FLOOR_STARTED: &str = "floor_started";

/// Versions of an entity in the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionStatus {
    /// Name of the table of the entity, in lower case.
    pub table: String,
    /// Name of the entity.
    pub entity: String,
    /// Lowest version that programs may write. 1 if every version may be written.
    pub min_write: u32,
    /// State of the retirement of the versions before [`min_write`](Self::min_write). `None` if every version may be
    /// written.
    pub state: Option<RetirementState>,
    /// Time of the last write of the registry row.
    pub since: Timestamp,
    /// Lowest version that rows can have, with the proof. `None` if no version was retired.
    pub floor: Option<VersionFloor>,
    /// Progress in states that process rows.
    pub(crate) progress: Progress,
    pub(crate) etag: ETag,
}

/// The lowest version that rows of an entity can have, with the proof: a scan that started when no program could write an
/// older version, and found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionFloor {
    /// The lowest version.
    pub version: u32,
    /// Number of rows that the scan read, including rows of other types in the tables.
    pub rows: u64,
    /// Time of the service when the scan started.
    pub started: Timestamp,
}

/// Progress of the job of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) cursor: Option<String>,
    /// Time at which the scan started.
    pub(crate) started: Option<Timestamp>,
}

impl VersionStatus {
    /// Reads the status. Returns `None` for a row that is not the row of an entity.
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`] for the row of an entity without valid versions.
    pub(crate) fn read(row: RowRef<'_>) -> Result<Option<Self>, RegistryError> {
        let stored = Stored(row);
        let Some((table, entity)) = row.partition_key.zip(schema(row)) else { return Ok(None) };
        let state = stored.text(STATE)?.map(|_| stored.state(STATE, RetirementState::of)).transpose()?;
        let floor = floor(stored)?;
        let min_write = version(stored, MIN_WRITE)?;
        // Every retirement writes the lowest version, and it is never below the floor.
        if (state.is_some() && min_write.is_none()) || min_write < floor.map(|floor| floor.version) {
            return Err(stored.unreadable(MIN_WRITE, "the version of the retirement"));
        }
        Ok(Some(Self {
            table: table.to_owned(),
            entity: entity.to_owned(),
            min_write: min_write.unwrap_or(1),
            state,
            since: stored.since()?,
            floor,
            progress: Progress { cursor: stored.cursor()?, started: stored.time(STARTED)? },
            etag: row.etag.clone(),
        }))
    }

    /// Returns the number of table rows that the job of the current state has processed.
    pub fn rows(&self) -> u64 {
        rows_at(self.progress.cursor.as_ref())
    }

    /// Returns the lowest version that rows can have.
    pub(crate) fn lowest(&self) -> u32 {
        self.floor.map_or(1, |floor| floor.version)
    }

    /// Returns the registry row with this status.
    pub(crate) fn row(&self) -> Entity {
        let mut properties = Properties::with_capacity(8);
        if self.min_write > 1 {
            properties.push_new(MIN_WRITE, number(self.min_write.into()));
        }
        if let Some(state) = self.state {
            properties.push_new(STATE, state.name());
        }
        if let Some(cursor) = &self.progress.cursor {
            properties.push_new(CURSOR, cursor.as_str());
        }
        if let Some(started) = self.progress.started {
            properties.push_new(STARTED, started);
        }
        if let Some(VersionFloor { version, rows, started }) = self.floor {
            properties.push_new(FLOOR, number(version.into()));
            properties.push_new(FLOOR_ROWS, number(rows));
            properties.push_new(FLOOR_STARTED, started);
        }
        let row_key = format!("schema_{}", self.entity);
        Entity { partition_key: self.table.clone(), row_key, properties }
    }
}

fn version(stored: Stored<'_>, name: &'static str) -> Result<Option<u32>, RegistryError> {
    let expected = "an Int64 with a version";
    let version = |count| u32::try_from(count).ok().filter(|version| *version > 0);
    stored.count(name)?.map(|count| stored.required(name, version(count), expected)).transpose()
}

/// Reads the floor, of which either all properties exist or none.
fn floor(stored: Stored<'_>) -> Result<Option<VersionFloor>, RegistryError> {
    let (version, rows) = (version(stored, FLOOR)?, stored.count(FLOOR_ROWS)?);
    let started = stored.time(FLOOR_STARTED)?;
    if version.is_none() && rows.is_none() && started.is_none() {
        return Ok(None);
    }
    Ok(Some(VersionFloor {
        version: stored.required(FLOOR, version, "the version of the floor")?,
        rows: stored.required(FLOOR_ROWS, rows, COUNT)?,
        started: stored.required(FLOOR_STARTED, started, "a DateTime")?,
    }))
}

/// Returns the row that is written to read the clock of the service.
pub(crate) fn now_row(table: &str, entity: &str) -> Entity {
    let (partition_key, row_key) = (partition_of(table), format!("now_{entity}"));
    Entity { partition_key, row_key, properties: Properties::new() }
}

impl Tables {
    /// Returns the versions of all registered entities: which may be written, and which are retired. The handle need not
    /// use the registry.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// let versions = tables.registered_versions().await?;
    /// assert_eq!((versions.len(), &*versions[0].entity, versions[0].min_write), (1, "Employee", 1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`] if the row of an entity cannot be read, and
    /// [`Error::Service`](crate::Error::Service) if a request fails.
    pub fn registered_versions(&self) -> Pending<'_, Vec<VersionStatus>> {
        Box::pin(async move {
            let filter = Filter::ge("RowKey", "schema_").and(Filter::lt("RowKey", "schema`"));
            let (mut found, mut unreadable) = (Vec::new(), Unreadable::default());
            let visit = |row: RowRef<'_>| found.extend(unreadable.keep(row, VersionStatus::read(row)));
            each_row(self, filter, visit).await?;
            unreadable.check(|_| true)?;
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use table_model::Operation;

    use super::*;

    #[test]
    fn a_status_is_read_as_it_is_written() {
        let tables = Tables::in_memory().unwrap();
        let since = Timestamp::UNIX_EPOCH;
        let floor = Some(VersionFloor { version: 2, rows: 7, started: since });
        let progress = Progress { cursor: Some("c".to_owned()), started: Some(since) };
        for (min_write, state, floor, progress) in [
            (1, None, None, Progress::default()),
            (2, Some(RetirementState::Rejecting), None, Progress::default()),
            (3, Some(RetirementState::Scanning), floor, progress),
            (2, Some(RetirementState::Retired), floor, Progress::default()),
        ] {
            let (table, entity, etag) = ("users".to_owned(), "User".to_owned(), ETag::from(since));
            let status = VersionStatus { table, entity, min_write, state, since, floor, progress, etag };
            pollster::block_on(async {
                let row = Operation::InsertOrReplace(status.row());
                tables
                    .transact_or_create(&crate::handle::registry::row::table().unwrap(), &[row])
                    .await
                    .unwrap();
                let found = tables.registered_versions().await.unwrap().pop().unwrap();
                let etag = status.etag.clone();
                assert_eq!(VersionStatus { since, etag, ..found }, status);
            });
        }
    }
}
