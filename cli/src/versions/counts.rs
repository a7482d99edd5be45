use std::collections::{BTreeMap, BTreeSet};

use table_schema::static_design::version_in;
use table_store::{Entity, Query, TableName, TableService, Value};

use crate::{error::CommandError, progress::Progress};

/// The type names to count, without their version. Empty for all types.
#[derive(Debug, Default)]
pub(super) struct Wanted(BTreeSet<String>);

impl Wanted {
    pub(super) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }
}

/// Reads the keys and the `EntityType` of all rows of a table, page by page.
pub(crate) async fn each_row(
    tables: &dyn TableService,
    table: &TableName,
    progress: &Progress,
    each: impl FnMut(&Entity, Option<&str>),
) -> Result<(), CommandError> {
    let mut unlimited = u64::MAX;
    each_row_up_to(tables, table, progress, &mut unlimited, each).await
}

/// Reads rows as [`each_row`], until at least `left` are read, from which the number of read rows is subtracted: it is 0
/// at the end if rows may be missing.
async fn each_row_up_to(
    tables: &dyn TableService,
    table: &TableName,
    progress: &Progress,
    left: &mut u64,
    mut each: impl FnMut(&Entity, Option<&str>),
) -> Result<(), CommandError> {
    let mut continuation = None;
    let mut read = 0_u64;
    while *left > 0 {
        let mut query = Query::new().select(["PartitionKey", "RowKey", "EntityType", "_tx", "_src", "_st"]);
        query.continuation = continuation;
        let segment = tables.query(table, query).await?;
        for row in segment.rows.into_iter().filter_map(table_store::Row::into_entity) {
            read += 1;
            *left = left.saturating_sub(1);
            let entity_type = match row.properties.get("EntityType") {
                Some(Value::String(name)) => Some(name.as_str()),
                _ => None,
            };
            each(&row, entity_type);
        }
        progress.count(read, &format!("rows of {table}"));
        // File reads run inline in the poll; yielding lets a signal be handled.
        tokio::task::yield_now().await;
        continuation = segment.continuation;
        if continuation.is_none() {
            // All rows were read, even if no more could have been.
            *left = (*left).max(1);
            break;
        }
    }
    Ok(())
}

/// The number of rows by table, type and version. Its size depends on the number of different types only.
#[derive(Debug)]
pub(super) struct Counts {
    wanted: Wanted,
    rows: BTreeMap<(String, Option<(String, u32)>), u64>,
}

impl Counts {
    pub(super) const fn new(wanted: Wanted) -> Self {
        Self { wanted, rows: BTreeMap::new() }
    }

    /// Reads a table, page by page, and counts its rows; at most about `left` of them, as [`each_row_up_to`].
    pub(super) async fn read(
        &mut self,
        tables: &dyn TableService,
        table: &TableName,
        progress: &Progress,
        left: &mut u64,
    ) -> Result<(), CommandError> {
        let add = |row: &Entity, entity_type: Option<&str>| self.add(table, &row.row_key, entity_type);
        each_row_up_to(tables, table, progress, left, add).await
    }

    fn add(&mut self, table: &TableName, row_key: &str, entity_type: Option<&str>) {
        // The RowKeys of the library's own rows.
        if row_key.starts_with('!') {
            return;
        }
        let parts = entity_type.map(version_in);
        let is_wanted = match parts {
            Some((name, _)) => self.is_wanted(name),
            None => self.wanted.0.is_empty(),
        };
        if is_wanted {
            let key = (table.as_str().to_owned(), parts.map(|(name, version)| (name.to_owned(), version)));
            *self.rows.entry(key).or_default() += 1;
        }
    }

    /// Returns the table, the type, the version and the number of rows of each line, sorted.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&str, Option<&str>, Option<u32>, u64)> {
        self.rows.iter().map(|((table, of), rows)| {
            let of = of.as_ref();
            (table.as_str(), of.map(|(name, _)| name.as_str()), of.map(|(_, version)| *version), *rows)
        })
    }

    /// Returns whether rows of a type are counted.
    pub(super) fn is_wanted(&self, name: &str) -> bool {
        self.wanted.0.is_empty() || self.wanted.0.contains(name)
    }

    /// Returns the requested types that have no row.
    pub(super) fn without_rows(&self) -> Vec<&str> {
        let is_found = |name: &str| self.lines().any(|(_, entity, ..)| entity == Some(name));
        self.wanted.0.iter().map(String::as_str).filter(|name| !is_found(name)).collect()
    }
}
