use std::{
    collections::{BTreeMap, HashMap},
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use table_model::{ErrorCode, Result, TableName};

use super::{TableRow, TableState};
use crate::keys::TableId;

/// The existing tables, as seen by readers. Changes only after the commit that changed the file.
///
/// A reader first takes its snapshot of the file and then finds the name here. If the name is present, the sweep of its
/// entities had not started when the snapshot was taken, because a sweep only starts after the name was removed here.
#[derive(Debug, Default)]
pub(crate) struct Names(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By folded name.
    ids: BTreeMap<String, (TableId, TableName)>,
    names: HashMap<TableId, TableName>,
}

impl Known {
    fn publish(&mut self, row: &TableRow) {
        match row.state {
            TableState::Live => {
                self.ids.insert(row.name.folded().to_owned(), (row.id, row.name.clone()));
                self.names.insert(row.id, row.name.clone());
            }
            TableState::Deleted => {
                self.ids.remove(row.name.folded());
                self.names.remove(&row.id);
            }
        }
    }
}

impl Names {
    /// Applies a change of the catalog.
    pub(crate) fn publish(&self, row: &TableRow) {
        self.write().publish(row);
    }

    /// Replaces the whole catalog.
    pub(crate) fn replace(&self, rows: &[TableRow]) {
        let mut fresh = Known::default();
        for row in rows {
            fresh.publish(row);
        }
        *self.write() = fresh;
    }

    /// Returns the id of a table, or `TableNotFound` if the table does not exist.
    pub(crate) fn find(&self, name: &TableName) -> Result<TableId> {
        let found = self.read().ids.get(name.folded()).map(|(id, _)| *id);
        found.ok_or_else(|| ErrorCode::TableNotFound.into())
    }

    /// Returns the name of an existing table.
    pub(crate) fn name_of(&self, id: TableId) -> Option<TableName> {
        self.read().names.get(&id).cloned()
    }

    /// Returns the number of tables.
    pub(crate) fn len(&self) -> usize {
        self.read().ids.len()
    }

    /// Returns at most `most` tables that satisfy `wanted`, starting at `start` (a folded name, inclusive), and the
    /// folded name of the first table that was not checked.
    pub(crate) fn list(
        &self,
        start: &str,
        most: usize,
        wanted: impl Fn(&TableName) -> bool,
    ) -> (Vec<TableName>, Option<String>) {
        let known = self.read();
        let mut listed = Vec::new();
        for (folded, (_, name)) in known.ids.range(start.to_owned()..) {
            if listed.len() == most {
                return (listed, Some(folded.clone()));
            }
            if wanted(name) {
                listed.push(name.clone());
            }
        }
        (listed, None)
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
