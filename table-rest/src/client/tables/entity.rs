//! Reads and writes of a single entity.

use azure_core::http::Method;
use table_model::{
    ETag, ErrorCode, Name, Operation, Result, Rows, TableError, TableName, Timestamp, Written, key,
};

use super::{Inner, query::select_text, request};
use crate::{
    client::{
        Lost,
        answer::{Answer, no_sense},
        outgoing::Outgoing,
    },
    wire::{entity::read_row, http_date::HttpDate, operation::WriteRequest, path::TablePath},
};

impl Inner {
    pub(super) async fn find(
        &self,
        table: &TableName,
        (partition_key, row_key): (&str, &str),
        select: Option<&[Name]>,
    ) -> Result<Rows> {
        key::check_both(partition_key, row_key, self.capabilities.key_length)?;
        let mut outgoing = request(Method::Get, &entity(table, partition_key, row_key));
        if let Some(select) = select_text(select)? {
            outgoing.query.push("$select", select);
        }
        match self.sender.send(&outgoing).await {
            Ok(answer) => {
                let etag: Option<ETag> = answer.header("etag").and_then(|etag| etag.parse().ok());
                read_row(&answer.body, etag.as_ref())
            }
            Err(error) if is_missing_row(&error) => Ok(Rows::new()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn execute(&self, table: &TableName, operation: &Operation) -> Result<Written> {
        operation.check(self.capabilities.key_length)?;
        match self.send_one(table, operation).await {
            Err(lost) if lost.is_outcome_unknown() && self.lost == Lost::Settle => {
                let written = self.settle(table, std::slice::from_ref(operation), lost).await?;
                written.into_iter().next().ok_or_else(|| no_sense("a write without a result"))
            }
            sent => sent,
        }
    }

    /// Sends a write once.
    pub(super) async fn send_one(&self, table: &TableName, operation: &Operation) -> Result<Written> {
        let answer = self.sender.send(&write(table, operation)?).await?;
        match operation {
            Operation::Delete { .. } => Ok(Written::Deleted),
            _ => version(&answer),
        }
    }
}

/// Returns `true` if the table exists but the entity does not.
fn is_missing_row(error: &TableError) -> bool {
    error.is_not_found() && error.code() != ErrorCode::TableNotFound
}

fn entity(table: &TableName, partition_key: &str, row_key: &str) -> TablePath {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    TablePath::Entity { table: table.to_string(), partition_key, row_key }
}

/// Creates the request for a write.
fn write(table: &TableName, operation: &Operation) -> Result<Outgoing> {
    let WriteRequest { method, path, if_match, body } = WriteRequest::of(table, operation);
    let method = method.parse().map_err(|_| TableError::new(ErrorCode::InvalidHttpVerb))?;
    let mut outgoing = request(method, &path);
    if let Operation::Insert(_) = operation {
        outgoing = outgoing.header("prefer", "return-no-content");
    }
    if let Some(condition) = if_match {
        outgoing = outgoing.header("if-match", condition);
    }
    Ok(if body.is_empty() { outgoing } else { outgoing.body("application/json", body) })
}

/// Returns the version from the response to a write.
fn version(answer: &Answer) -> Result<Written> {
    let etag: ETag = answer.required("etag")?;
    let date = answer.required::<HttpDate>("date").ok();
    Ok(written(etag, date.map(|date| date.0)))
}

/// Combines the version with the time of the write; most servers derive the version from the time.
pub(super) fn written(etag: ETag, date: Option<Timestamp>) -> Written {
    let timestamp = etag.timestamp().or(date).unwrap_or(Timestamp::UNIX_EPOCH);
    Written::Version { etag, timestamp }
}
