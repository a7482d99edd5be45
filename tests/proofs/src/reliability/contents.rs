//! All contents of a store, as comparable values.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use table_store::{BlockingStore, Query, Result, Row, TableName, service::ListTables};

/// PartitionKey and RowKey.
pub type Key = (String, String);

/// The tables of a store with all their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The tables, by name in lower case.
    pub tables: BTreeMap<String, Table>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name in its original case.
    pub name: String,
    /// The rows by their keys.
    pub rows: Arc<BTreeMap<Key, Row>>,
}

impl Contents {
    /// Reads all contents of a store.
    ///
    /// # Errors
    /// Returns the error of a read.
    pub fn of(store: &BlockingStore) -> Result<Self> {
        let mut contents = Self::default();
        for name in tables(store)? {
            let rows = Arc::new(rows(store, &name)?);
            contents.tables.insert(name.folded().to_owned(), Table { name: name.as_str().to_owned(), rows });
        }
        Ok(contents)
    }

    /// Returns the rows of a table, if it exists.
    #[must_use]
    pub fn rows(&self, table: &TableName) -> Option<&BTreeMap<Key, Row>> {
        self.tables.get(table.folded()).map(|table| &*table.rows)
    }

    /// Returns the row with a key, if it exists.
    #[must_use]
    pub fn row(&self, table: &TableName, key: &Key) -> Option<&Row> {
        self.rows(table)?.get(key)
    }

    /// Returns the contents without times and versions.
    #[must_use]
    pub fn without_times(&self) -> Self {
        let mut plain = self.clone();
        for table in plain.tables.values_mut() {
            for row in Arc::make_mut(&mut table.rows).values_mut() {
                row.timestamp = None;
                row.etag = table_store::Timestamp::MIN.into();
            }
        }
        plain
    }

    /// Returns the first differences between `self` (found) and `expected`.
    #[must_use]
    pub fn difference(&self, expected: &Self) -> String {
        let mut text = String::new();
        let names =
            |contents: &Self| contents.tables.values().map(|table| table.name.clone()).collect::<Vec<_>>();
        if names(self) != names(expected) {
            let _ = write!(text, "tables {:?}, expected {:?}; ", names(self), names(expected));
        }
        for (name, table) in &expected.tables {
            let Some(found) = self.tables.get(name) else { continue };
            let keys = table.rows.keys().chain(found.rows.keys());
            for key in keys.filter(|key| found.rows.get(*key) != table.rows.get(*key)).take(4) {
                let brief = |row: Option<&Row>| {
                    row.map(|row| {
                        let size: usize = row.properties.iter().map(|(_, value)| value.size()).sum();
                        format!("{} properties, {size} B, {}", row.properties.len(), row.etag)
                    })
                };
                let (found, wanted) = (brief(found.rows.get(key)), brief(table.rows.get(key)));
                let _ = write!(text, "{name} {key:?}: found {found:?}, expected {wanted:?}; ");
            }
        }
        text
    }
}

/// Returns all tables.
fn tables(store: &BlockingStore) -> Result<Vec<TableName>> {
    let mut request = ListTables::default();
    let mut names = Vec::new();
    loop {
        let segment = store.list_tables(request.clone())?;
        names.extend(segment.tables);
        match segment.continuation {
            Some(next) => request.continuation = Some(next),
            None => return Ok(names),
        }
    }
}

/// Returns all rows of a table.
fn rows(store: &BlockingStore, table: &TableName) -> Result<BTreeMap<Key, Row>> {
    let mut query = Query::new();
    let mut rows = BTreeMap::new();
    loop {
        let segment = store.query(table, query.clone())?;
        for row in segment.rows {
            let key =
                (row.partition_key.clone().unwrap_or_default(), row.row_key.clone().unwrap_or_default());
            rows.insert(key, row);
        }
        match segment.continuation {
            Some(next) => query = Query::new().continuation(next),
            None => return Ok(rows),
        }
    }
}
