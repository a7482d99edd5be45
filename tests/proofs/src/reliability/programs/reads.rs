//! Reads of single rows, and lists of tables.

use std::fmt::Debug;

use table_store::{ErrorCode, Name, Row, TableName, service::ListTables};

use super::{
    Mistake,
    run::Run,
    step::{self, Keys, Selected},
    truth,
};
use crate::reliability::Violation;

impl Run {
    pub(super) fn get(&self, table: &TableName, keys: Keys, selected: &Selected) -> Result<(), Violation> {
        let key = step::key(keys);
        let select = step::names(selected);
        let sent = select.as_deref().filter(|_| self.mistake != Some(Mistake::SelectionIgnored));
        let found = self.store.get(table, &key.0, &key.1, sent);
        let found = found.map_err(|error| (error.code(), error.index()));
        let expected = match self.model.contents().rows(table) {
            None => Err((ErrorCode::TableNotFound, None)),
            Some(rows) => Ok(rows.get(&key).map(|row| project(row, select.as_deref()))),
        };
        same("a get", &found, &expected)
    }

    pub(super) fn list(&self, mut request: ListTables) -> Result<(), Violation> {
        let filter = request.filter.clone();
        let listed = |name: &str| filter.as_ref().is_none_or(|filter| truth::holds_for_table(filter, name));
        let tables = self.model.contents().tables.values().map(|table| table.name.clone());
        let expected: Vec<String> = match request.top {
            Some(0) => Vec::new(),
            _ => tables.filter(|name| listed(name)).collect(),
        };
        let refused = request.top.is_some_and(|top| top > 1_000)
            || filter.as_ref().is_some_and(|filter| truth::comparisons(filter) > 15);
        let expected = if refused { Err(ErrorCode::InvalidInput) } else { Ok(expected) };
        let mut found = Vec::new();
        loop {
            match self.store.list_tables(request.clone()) {
                Err(error) => return same("a list of tables", &Err(error.code()), &expected),
                Ok(segment) => {
                    found.extend(segment.tables.iter().map(|name| name.as_str().to_owned()));
                    request.continuation = segment.continuation;
                }
            }
            if request.continuation.is_none() {
                return same("a list of tables", &Ok(found), &expected);
            }
        }
    }
}

/// Returns the row with a selection applied.
pub(super) fn project(row: &Row, select: Option<&[Name]>) -> Row {
    let Some(wanted) = select.filter(|wanted| !wanted.iter().any(|name| name == "*")) else {
        return row.clone();
    };
    let named = |name: &str| wanted.iter().any(|known| known == name);
    let properties = row.properties.iter().filter(|(name, _)| named(name)).cloned();
    Row {
        etag: row.etag.clone(),
        partition_key: row.partition_key.clone().filter(|_| named("PartitionKey")),
        row_key: row.row_key.clone().filter(|_| named("RowKey")),
        timestamp: row.timestamp.filter(|_| named("Timestamp")),
        properties: properties.collect(),
    }
}

/// Checks that the found value equals the expected value.
pub(super) fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), Violation> {
    if found == expected {
        return Ok(());
    }
    Err(Violation::Visible { what: format!("{what} gives {found:?}, expected {expected:?}") })
}
