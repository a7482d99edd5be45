//! The effect of each request on the contents of a store: a second, simplest implementation of the semantics.

mod sent;

use std::sync::Arc;

use table_store::{Condition, ErrorCode, Operation, Result, Row, TableName, Written};

use crate::reliability::{Contents, Request, Violation, contents::Table};

/// Reason of a rejected request; in a transaction with the index of the failed operation.
pub type Refused = (ErrorCode, Option<usize>);

/// The expected contents of a store.
#[derive(Clone, Debug, Default)]
pub struct Model {
    contents: Contents,
}

impl Model {
    /// Returns the current expected contents.
    #[must_use]
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Applies a request and its response.
    ///
    /// # Errors
    /// Returns [`Violation::Answer`] if the service accepts an invalid request or rejects a valid one, and other
    /// violations if the content of the response is wrong.
    pub fn answered(&mut self, request: &Request, answer: &Result<Vec<Written>>) -> Result<(), Violation> {
        let expected = self.refusal(request);
        let given = answer.as_ref().err().map(|error| (error.code(), error.index()));
        if expected != given {
            let asked = format!("{request:.200?}");
            return Err(Violation::Answer { asked, expected, given: format!("{answer:.300?}") });
        }
        if let Ok(written) = answer {
            self.apply(request, written);
        }
        Ok(())
    }

    /// Returns the expected error of the request; `None` if it must be accepted.
    fn refusal(&self, request: &Request) -> Option<Refused> {
        let live = self.contents.tables.contains_key(request.table().folded());
        let code = match request {
            Request::Create(_) if live => ErrorCode::TableAlreadyExists,
            Request::Create(_) => return None,
            Request::Drop(_) if live => return None,
            Request::Drop(_) => ErrorCode::ResourceNotFound,
            Request::Write(..) if !live => ErrorCode::TableNotFound,
            Request::Write(table, operation) => self.refused(table, operation)?,
            Request::Transact(table, operations) => {
                return sent::refused(operations).or_else(|| {
                    operations.iter().enumerate().find_map(|(index, operation)| {
                        let missing = (!live).then_some(ErrorCode::TableNotFound);
                        Some((missing.or_else(|| self.refused(table, operation))?, Some(index)))
                    })
                });
            }
        };
        Some((code, None))
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
