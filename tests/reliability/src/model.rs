//! What each request does to the contents of a store: the semantics once more, in their simplest form.

use std::{collections::BTreeSet, sync::Arc};

use table_store::{Condition, ErrorCode, Operation, Result, Row, TableName, Written};

use crate::{Contents, Request, Violation, contents::Table};

/// What a store should hold.
#[derive(Clone, Debug, Default)]
pub struct Model {
    contents: Contents,
    /// Tables that are deleted and may still be swept.
    leaving: BTreeSet<String>,
}

impl Model {
    /// What the store should hold now.
    #[must_use]
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Deleted tables are gone, their names are free.
    pub fn swept(&mut self) {
        self.leaving.clear();
    }

    /// Takes over a request and its answer; a violation if the answer is not the one that the semantics ask for.
    pub fn answered(&mut self, request: &Request, answer: &Result<Vec<Written>>) -> Result<(), Violation> {
        let expected = self.refusal(request);
        let given = answer.as_ref().err().map(table_store::TableError::code);
        if expected != given {
            let asked = format!("{request:.200?}");
            return Err(Violation::Answer { asked, expected, given: format!("{answer:.300?}") });
        }
        if let Ok(written) = answer {
            self.apply(request, written);
        }
        Ok(())
    }

    /// The code that the request is to be refused with; none if it is to be accepted.
    fn refusal(&self, request: &Request) -> Option<ErrorCode> {
        let live = self.contents.tables.contains_key(request.table().folded());
        match request {
            Request::Create(_) if live => Some(ErrorCode::TableAlreadyExists),
            Request::Create(table) if self.leaving.contains(table.folded()) => {
                Some(ErrorCode::TableBeingDeleted)
            }
            Request::Create(_) => None,
            Request::Drop(_) => (!live).then_some(ErrorCode::ResourceNotFound),
            _ if !live => Some(ErrorCode::TableNotFound),
            Request::Write(table, operation) => self.refused(table, operation),
            Request::Transact(table, operations) => {
                operations.iter().find_map(|operation| self.refused(table, operation))
            }
        }
    }

    fn refused(&self, table: &TableName, operation: &Operation) -> Option<ErrorCode> {
        let stored = self.contents.row(table, &key(operation));
        let condition = match operation {
            Operation::Insert(_) => return stored.map(|_| ErrorCode::EntityAlreadyExists),
            Operation::Replace(_, condition)
            | Operation::Merge(_, condition)
            | Operation::Delete { condition, .. } => condition,
            _ => return None,
        };
        match (stored, condition) {
            (None, _) => Some(ErrorCode::ResourceNotFound),
            (Some(row), Condition::Matches(etag)) if row.etag != *etag => {
                Some(ErrorCode::UpdateConditionNotSatisfied)
            }
            _ => None,
        }
    }

    fn apply(&mut self, request: &Request, written: &[Written]) {
        match request {
            Request::Create(name) => {
                let table = Table { name: name.as_str().to_owned(), rows: Arc::default() };
                self.contents.tables.insert(name.folded().to_owned(), table);
            }
            Request::Drop(name) => {
                self.contents.tables.remove(name.folded());
                self.leaving.insert(name.folded().to_owned());
            }
            Request::Write(table, operation) => self.write(table, std::slice::from_ref(operation), written),
            Request::Transact(table, operations) => self.write(table, operations, written),
        }
    }

    fn write(&mut self, table: &TableName, operations: &[Operation], written: &[Written]) {
        let Some(table) = self.contents.tables.get_mut(table.folded()) else { return };
        let rows = Arc::make_mut(&mut table.rows);
        for (operation, written) in operations.iter().zip(written) {
            let key = key(operation);
            let (Some(entity), Written::Version { etag, timestamp }) = (operation.entity(), written) else {
                rows.remove(&key);
                continue;
            };
            let merges = matches!(operation, Operation::Merge(..) | Operation::InsertOrMerge(_));
            let kept = rows.get(&key).filter(|_| merges).map(|row| row.properties.clone());
            let mut properties = kept.unwrap_or_default();
            for (name, value) in &entity.properties {
                properties.set(name.clone(), value.clone());
            }
            let (partition_key, row_key) = key.clone();
            let row = Row {
                etag: etag.clone(),
                partition_key: Some(partition_key),
                row_key: Some(row_key),
                timestamp: Some(*timestamp),
                properties,
            };
            rows.insert(key, row);
        }
    }
}

fn key(operation: &Operation) -> (String, String) {
    (operation.partition_key().to_owned(), operation.row_key().to_owned())
}
