//! Rows of the registry that exist, but have a content that this library cannot read. They are kept apart from missing
//! rows: a missing row allows writes that an unreadable one must reject.

use table_model::{RowRef, ValueRef};

use super::{TABLE, row::Stored};
use crate::{Address, Error, RegistryError, core::table::table_named};

/// Maximum number of characters of a value in an error.
const SHOWN: usize = 40;

/// The unreadable rows of a registry partition: their RowKeys and errors.
#[derive(Debug, Default)]
pub(super) struct Unreadable(Vec<(String, RegistryError)>);

impl Unreadable {
    /// Returns the content of a row, if it is of the kind that was read. Keeps the error of an unreadable row.
    pub(super) fn keep<T>(&mut self, row: RowRef<'_>, read: Result<Option<T>, RegistryError>) -> Option<T> {
        read.unwrap_or_else(|error| {
            self.0.push((row.row_key.unwrap_or_default().to_owned(), error));
            None
        })
    }

    /// Fails if one of the rows with these RowKeys is unreadable.
    pub(super) fn check(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
        match self.0.iter().find(|(row_key, _)| is_wanted(row_key)) {
            Some((_, error)) => Err(error.clone().into()),
            None => Ok(()),
        }
    }
}

/// Returns whether a row contains the state of an entity, of one of its indexes, of its change feed or of its move.
pub(super) fn is_of(entity: &str, row_key: &str) -> bool {
    let is_moved =
        |moved: &str| moved.split_once('.').is_some_and(|(from, to)| from == entity || to == entity);
    is_index_of(entity, row_key)
        || is_versions_of(entity, row_key)
        || is_guard_of(entity, row_key)
        || row_key.strip_prefix("move_").is_some_and(is_moved)
}

/// Returns whether a row contains the versions of an entity.
pub(super) fn is_versions_of(entity: &str, row_key: &str) -> bool {
    row_key.strip_prefix("schema_") == Some(entity)
}

/// Returns whether a row contains the type that the entities move to.
pub(super) fn is_guard_of(entity: &str, row_key: &str) -> bool {
    row_key.strip_prefix("moving_") == Some(entity)
}

/// Returns whether a row contains the state of an index or of the change feed of an entity.
pub(super) fn is_index_of(entity: &str, row_key: &str) -> bool {
    let index = row_key.strip_prefix("index_").and_then(|index| index.strip_prefix(entity));
    index.is_some_and(|index| index.starts_with('.'))
}

impl Stored<'_> {
    /// Returns the error of a property that is missing or has another form than `expected`.
    pub(super) fn unreadable(self, property: &'static str, expected: &'static str) -> RegistryError {
        let Self(row) = self;
        let Ok(table) = table_named(TABLE) else { return RegistryError::None };
        let (partition_key, row_key) = (row.partition_key, row.row_key);
        let [partition_key, row_key] = [partition_key, row_key].map(|key| key.unwrap_or_default().to_owned());
        let found = row.properties.get(property).map_or_else(|| "missing".to_owned(), shown);
        let row = Box::new(Address { table, partition_key, row_key });
        RegistryError::Unreadable { row, property, found, expected }
    }
}

fn shown(value: ValueRef<'_>) -> String {
    let text = match value {
        ValueRef::String(text) => format!("{text:?}"),
        other => format!("{other:?}"),
    };
    text.chars().take(SHOWN).collect()
}
