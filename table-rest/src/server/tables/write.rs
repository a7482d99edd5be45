//! Writes of a single entity.

use http::StatusCode;
use table_model::{ErrorCode, Operation, TableError, TableName, Written};

use super::{
    BODY_BYTES, Served,
    answer::Answer,
    negotiated::{Negotiated, check_json},
    table_name,
};
use crate::{
    server::{Refusal, Reply, RequestBody, observe::Stage},
    wire::{
        entity::RowHead,
        operation::WriteHead,
        path::{EntityLink, TablePath},
    },
};

impl Served<'_> {
    pub(super) async fn write(
        self,
        method: &str,
        path: &TablePath,
        negotiated: Negotiated,
        body: RequestBody,
    ) -> Result<Reply, Refusal> {
        check_json(self.call.header("content-type"))?;
        let name = path.table().ok_or(ErrorCode::InvalidInput)?;
        let table = table_name(name)?;
        let is_insert = matches!(path, TablePath::Entities(_));
        if is_insert {
            negotiated.echo()?;
        }
        let head = WriteHead {
            method,
            path,
            if_match: self.call.header("if-match"),
            if_none_match: self.call.header("if-none-match"),
        };
        let body = body.whole(BODY_BYTES).await?;
        let work = self.execute((head, &body), (name, &table), &negotiated);
        self.account.share.weigh(&self.call.probe, body.len(), work).await
    }

    async fn execute(
        self,
        (head, body): (WriteHead<'_>, &[u8]),
        (name, table): (&str, &TableName),
        negotiated: &Negotiated,
    ) -> Result<Reply, Refusal> {
        let operation = match head.read(body) {
            Ok(operation) => operation,
            // A missing table is reported before an invalid entity.
            Err(error) => return Err(self.check_table(name).await.err().unwrap_or_else(|| error.into())),
        };
        self.permit_keys(&operation)?;
        let probe = &self.call.probe;
        probe.set_partition(operation.partition_key());
        let written = probe.time(Stage::CommitWait, self.account.tables.execute(table, &operation)).await?;
        probe.set_writes(std::slice::from_ref(&operation));
        Ok(self.written(name, &operation, &written, negotiated)?.into_reply())
    }

    /// Checks that the permissions cover the keys of an entity.
    pub(super) fn permit_keys(self, operation: &Operation) -> Result<(), Refusal> {
        match self.grant.key_range() {
            Some(range) if !range.contains(operation.partition_key(), operation.row_key()) => {
                Err(ErrorCode::AuthorizationFailure.into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the result of a successful write.
    pub(super) fn written(
        &self,
        table: &str,
        operation: &Operation,
        written: &Written,
        negotiated: &Negotiated,
    ) -> Result<Answer, TableError> {
        let etag = written.etag();
        let (Operation::Insert(entity), Some(etag)) = (operation, etag) else {
            return Ok(Answer::done(etag.cloned()));
        };
        let (partition_key, row_key) = (entity.partition_key.as_str(), entity.row_key.as_str());
        let echo = negotiated.echo()?;
        let content = echo.map(|level| {
            let head = RowHead {
                etag,
                partition_key: Some(partition_key),
                row_key: Some(row_key),
                timestamp: written.timestamp(),
            };
            let mut content = String::with_capacity(512);
            self.rows_at(level, table, None).push_element(&mut content, &head, &entity.properties.refs());
            (level, content)
        });
        Ok(Answer {
            status: if content.is_some() { StatusCode::CREATED } else { StatusCode::NO_CONTENT },
            etag: Some(etag.clone()),
            location: Some(format!("{}/{}", self.call.root, EntityLink { table, partition_key, row_key })),
            preference: negotiated.preference,
            content,
        })
    }
}
