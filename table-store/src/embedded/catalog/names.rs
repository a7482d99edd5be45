use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use super::{TableRow, TableState};
use crate::{ErrorCode, Result, TableName, embedded::keys::TableId};

/// The live tables, as readers see them. It changes only after the commit that changed the file.
///
/// A reader takes its view of the file first and looks the name up second. If the name is there then, no sweep of its
/// entities had begun when the view was taken: a sweep begins only after the name has gone from here.
#[derive(Debug, Default)]
pub(in crate::embedded) struct Names(RwLock<BTreeMap<String, (TableId, TableName)>>);

impl Names {
    /// Takes over a change of the catalog.
    pub(in crate::embedded) fn publish(&self, row: &TableRow) {
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

    /// Takes over the whole catalog.
    pub(in crate::embedded) fn replace(&self, rows: &[TableRow]) {
        let fresh = Self::default();
        for row in rows {
            fresh.publish(row);
        }
        let fresh = fresh.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    /// The id of a table; `TableNotFound` if there is none.
    pub(in crate::embedded) fn find(&self, name: &TableName) -> Result<TableId> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.get(name.folded()).map(|(id, _)| *id).ok_or_else(|| ErrorCode::TableNotFound.into())
    }

    /// The name of a live table.
    pub(in crate::embedded) fn name_of(&self, id: TableId) -> Option<TableName> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.values().find(|(known, _)| *known == id).map(|(_, name)| name.clone())
    }

    /// How many there are.
    pub(in crate::embedded) fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The tables from `start` (a folded name, included) on that `wanted` lets through, at most `most` of them, and
    /// the folded name of the next table after the last one looked at.
    pub(in crate::embedded) fn list(
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
