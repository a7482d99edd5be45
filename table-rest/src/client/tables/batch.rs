//! Entity group transactions.

use azure_core::http::Method;
use table_model::{ETag, Operation, Result, TableError, TableName, Uuid, Written};

use super::{Inner, entity::written, request};
use crate::{
    client::{
        Lost,
        answer::{Answer, no_sense},
    },
    wire::{
        batch::{self, PartAnswer},
        http_date::HttpDate,
        odata_error,
        path::TablePath,
    },
};

impl Inner {
    pub(super) async fn transact(&self, table: &TableName, operations: &[Operation]) -> Result<Vec<Written>> {
        Operation::check_transaction(operations, self.capabilities.key_length)?;
        match self.send_batch(table, operations).await {
            Err(lost) if lost.is_outcome_unknown() && self.lost == Lost::Settle => {
                self.settle(table, operations, lost.without_index()).await
            }
            sent => sent,
        }
    }

    /// Sends a transaction once.
    pub(super) async fn send_batch(
        &self,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Vec<Written>> {
        let root = self.sender.endpoint.root();
        let (content_type, body) = batch::request::write(root, table, operations, Uuid::new_v4());
        let outgoing = request(Method::Post, &TablePath::Batch).body(&content_type, body);
        let answer = self.sender.send(&outgoing).await?;
        results(&answer, operations)
    }
}

fn results(answer: &Answer, operations: &[Operation]) -> Result<Vec<Written>> {
    let content_type = answer.header("content-type").unwrap_or_default();
    let parts = batch::response::read(content_type, &answer.body)?;
    // A transaction is atomic: one rejected operation is the result of all.
    if let Some(refused) = parts.iter().find(|part| !(200..300).contains(&part.status)) {
        return Err(refusal(refused, operations));
    }
    if parts.len() != operations.len() {
        return Err(no_sense(format!("{} responses to {} operations", parts.len(), operations.len())));
    }
    let date = answer.required::<HttpDate>("date").ok().map(|date| date.0);
    let each = parts.iter().zip(operations).map(|(part, operation)| {
        if let Operation::Delete { .. } = operation {
            return Ok(Written::Deleted);
        }
        let etag: Option<ETag> = part.headers.get("etag").and_then(|etag| etag.parse().ok());
        etag.map(|etag| written(etag, date)).ok_or_else(|| no_sense("a write in it has no ETag"))
    });
    each.collect()
}

/// Returns the error of a rejected transaction with the index of the failed operation. The index precedes the message,
/// or is derived from the content ID of the request.
fn refusal(part: &PartAnswer<'_>, operations: &[Operation]) -> TableError {
    let error = odata_error::read(part.status, part.body);
    let named = || part.headers.get("content-id").and_then(|id| id.parse::<usize>().ok());
    let alone = || (operations.len() == 1).then_some(0);
    match error.index().or_else(named).or_else(alone).filter(|index| *index < operations.len()) {
        Some(index) => error.at(index),
        None => error.without_index(),
    }
}
