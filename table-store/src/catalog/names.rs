use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use table_model::{ErrorCode, Result, TableName};

use super::{TableRow, TableState};
use crate::keys::TableId;

/// The existing tables, as seen by readers. Changes only after the commit that changed the file.
///
/// A reader first takes its snapshot of the file and then finds the name here. If the name is present, the sweep of its
/// entities had not started when the snapshot was taken, because a sweep only starts after the name was removed here.
#[derive(Debug, Default)]
pub(crate) struct Names(RwLock<BTreeMap<String, (TableId, TableName)>>);

impl Names {
    /// Applies a change of the catalog.
    pub(crate) fn publish(&self, row: &TableRow) {
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match row.state {
            TableState::Live => {
                names.insert(row.name.folded().to_owned(), (row.id, row.name.clone()));
            }
            TableState::Deleted => {
                names.remove(row.name.folded());
            }
        }
    }

    /// Replaces the whole catalog.
    pub(crate) fn replace(&self, rows: &[TableRow]) {
        let fresh = Self::default();
        for row in rows {
            fresh.publish(row);
        }
        let fresh = fresh.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    /// Returns the id of a table, or `TableNotFound` if the table does not exist.
    pub(crate) fn find(&self, name: &TableName) -> Result<TableId> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.get(name.folded()).map(|(id, _)| *id).ok_or_else(|| ErrorCode::TableNotFound.into())
    }

    /// Returns the name of an existing table.
    pub(crate) fn name_of(&self, id: TableId) -> Option<TableName> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.values().find(|(known, _)| *known == id).map(|(_, name)| name.clone())
    }

    /// Returns the number of tables.
    pub(crate) fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns at most `most` tables that satisfy `wanted`, starting at `start` (a folded name, inclusive), and the
    /// folded name of the first table that was not checked.
    pub(crate) fn list(
        &self,
        start: &str,
        most: usize,
        wanted: impl Fn(&TableName) -> bool,
    ) -> (Vec<TableName>, Option<String>) {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut listed = Vec::new();
        for (folded, (_, name)) in names.range(start.to_owned()..) {
            if listed.len() == most {
                return (listed, Some(folded.clone()));
            }
            if wanted(name) {
                listed.push(name.clone());
            }
        }
        (listed, None)
    }
}
