//! A store that several processes use, and moves of types with equal fields.

use table_store::{Query as StoreQuery, RowRef, Store, TableName, TableService, ValueRef};

use super::*;

/// Declares a move between two types with the same fields, whose keys contain the same values.
macro_rules! move_with_equal_fields {
    ($old:ident $old_key:ident => $new:ident $new_key:ident { $($field:ident),+ } key { $($part:ident),+ }) => {
        impl From<$old> for $new {
            fn from($old { $($field),+ }: $old) -> Self {
                Self { $($field),+ }
            }
        }

        impl From<$new> for $old {
            fn from($new { $($field),+ }: $new) -> Self {
                Self { $($field),+ }
            }
        }

        impl From<$new_key> for $old_key {
            fn from($new_key { $($part),+ }: $new_key) -> Self {
                Self { $($part),+ }
            }
        }

        impl MovedFrom for $new {
            type Old = $old;
        }
    };
}
pub(super) use move_with_equal_fields;

/// A store whose time the calendar controls.
pub(super) struct Place {
    pub(super) store: Store,
    pub(super) calendar: Calendar,
}

impl Place {
    pub(super) fn new() -> Self {
        let calendar = Calendar::new();
        let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
        Self { store, calendar }
    }

    /// Returns the handle of another process.
    pub(super) fn process(&self) -> Tables {
        Tables::from(self.store.clone()).with_registry_by(Arc::new(self.calendar.clone()))
    }

    /// Returns the entity that each row of a table names, and the state of the row.
    pub(super) fn index_rows(&self, table: &str) -> Vec<(String, String)> {
        let table = TableName::new(table).unwrap();
        let rows = block_on(self.store.query(&table, StoreQuery::default())).unwrap().rows;
        let text = |row: RowRef<'_>, name| match row.properties.get(name) {
            Some(ValueRef::String(text)) => text.to_owned(),
            other => panic!("{other:?}"),
        };
        rows.iter().map(|row| (text(row, "_src"), text(row, "_st"))).collect()
    }
}
