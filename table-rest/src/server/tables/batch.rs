//! Entity group transactions, and the single read that the batch format allows.

use http::{StatusCode, header};
use table_model::{ErrorCode, Operation, TableError, TableName, Uuid, pauses::Pauses};

use super::{
    BODY_BYTES, Served,
    answer::{self, Answer, refused_part},
    asked::{READ, need},
    negotiated::{Negotiated, check_json},
    options::Options,
    table_name,
};
use crate::{
    server::{Facts, Refusal, Reply, RequestBody, observe::Stage},
    wire::{
        batch::{BatchRequest, Part, PartReply, response},
        level::Level,
        operation::{WriteHead, effective_method},
        path::TablePath,
        query_string::QueryString,
    },
};

impl Served<'_> {
    /// Executes a batch. Once the body is parsed, errors are reported inside a 202 response.
    pub(super) async fn batch(self, body: RequestBody) -> Result<Reply, Refusal> {
        let body = body.whole(BODY_BYTES).await?;
        // Parsing takes milliseconds for a large batch.
        self.account.share.weigh(&self.call.probe, body.len(), self.execute_batch(&body)).await
    }

    async fn execute_batch(self, body: &[u8]) -> Result<Reply, Refusal> {
        let batch = BatchRequest::read(self.call.header("content-type").unwrap_or_default(), body)?;
        let done = if batch.is_changeset {
            self.transact(&batch.parts).await.map(|answers| {
                let answered = answers.into_iter().zip(&batch.parts);
                answered.map(|(answer, part)| answer.into_part(part.content_id)).collect()
            })
        } else {
            let Some(part) = batch.parts.first() else { return Err(ErrorCode::InvalidInput.into()) };
            self.read_one(part)
                .await
                .map(|answer| vec![answer.into_part(part.content_id)])
                .map_err(|refusal| refusal.error.at(0))
        };
        let mut reply = answer::reply(StatusCode::ACCEPTED);
        let parts = match done {
            Ok(parts) => parts,
            Err(error) => {
                let index = error.index().unwrap_or(0);
                let part = batch.parts.get(index).or(batch.parts.first()).ok_or(ErrorCode::InvalidInput)?;
                let error = error.at(index);
                let refused = vec![self.refuse(part, error.clone())?];
                reply.refusal = Some(Refusal::from(error)).filter(Refusal::is_logged).map(Box::new);
                refused
            }
        };
        let (content_type, content) = response::write(&parts, batch.is_changeset, Uuid::new_v4());
        Ok(reply.text(header::CONTENT_TYPE, &content_type).body(content))
    }

    /// Reads all parts and checks their permissions before anything is written.
    async fn transact(self, parts: &[Part<'_>]) -> Result<Vec<Answer>, TableError> {
        let mut table: Option<(String, TableName)> = None;
        let mut operations = Vec::with_capacity(parts.len());
        let mut negotiated = Vec::with_capacity(parts.len());
        let mut pauses = Pauses::default();
        for (index, part) in parts.iter().enumerate() {
            pauses.after(part.body.len());
            let read = self.part(part, &mut table).map_err(|refusal| refusal.error.at(index));
            let (operation, form) = read?;
            operations.push(operation);
            negotiated.push(form);
        }
        let (name, table) = table.ok_or(ErrorCode::InvalidInput)?;
        let probe = &self.call.probe;
        probe.set_table(&name);
        probe.set_operations(operations.len());
        if let Some(first) = operations.first() {
            probe.set_partition(first.partition_key());
        }
        let written = self.account.tables.transact(&table, &operations);
        let written = probe.time(Stage::CommitWait, written).await?;
        probe.set_writes(&operations);
        let done = operations.iter().zip(&written).zip(&negotiated);
        done.map(|((operation, written), form)| self.written(&name, operation, written, form)).collect()
    }

    /// Returns the write of a part. All parts must address the table of the first part.
    fn part(
        self,
        part: &Part<'_>,
        table: &mut Option<(String, TableName)>,
    ) -> Result<(Operation, Negotiated), Refusal> {
        let path = self.path_of(part)?;
        let method = effective_method(part.method, part.headers.all("x-http-method"))?;
        let name = match &path {
            TablePath::Entities(name) | TablePath::Entity { table: name, .. } => table_name(name)?,
            _ => return Err(ErrorCode::InvalidInput.into()),
        };
        match table {
            Some((_, first)) if *first != name => {
                return Err(ErrorCode::CommandsInBatchActOnDifferentPartitions.into());
            }
            Some(_) => {}
            None => *table = Some((path.table().unwrap_or_default().to_owned(), name.clone())),
        }
        if method == "GET" {
            return Err(ErrorCode::InvalidInput.into());
        }
        check_json(part.headers.get("content-type"))?;
        let head = WriteHead {
            method,
            path: &path,
            if_match: part.headers.get("if-match"),
            if_none_match: part.headers.get("if-none-match"),
        };
        let operation = head.read(part.body)?;
        self.grant.permit(&need(operation.kind()))?;
        self.grant.permit_table(&name)?;
        self.permit_keys(&operation)?;
        let negotiated = Negotiated::of_part(part);
        if matches!(operation, Operation::Insert(_)) {
            negotiated.echo()?;
        }
        Ok((operation, negotiated))
    }

    async fn read_one(self, part: &Part<'_>) -> Result<Answer, Refusal> {
        let path = self.path_of(part)?;
        let (TablePath::Entity { table, .. }, "GET") = (&path, part.method) else {
            return Err(ErrorCode::InvalidInput.into());
        };
        self.grant.permit(&READ)?;
        self.grant.permit_table(&table_name(table)?)?;
        self.call.probe.set_table(table);
        let select = Options::of(&QueryString::parse(part.query)?)?.select;
        let level = Negotiated::of_part(part).level?;
        self.query_entity(&mut Facts::default(), &path, select.as_ref(), level).await
    }

    /// Returns the path of a part without the account, which clients may include. No address of this service has two
    /// segments.
    fn path_of(self, part: &Part<'_>) -> Result<TablePath, TableError> {
        let path = part.path.strip_prefix('/').unwrap_or(part.path);
        let behind = path.split_once('/').filter(|(first, _)| {
            let account = self.account.name.as_str();
            *first == account || first.strip_suffix("-secondary") == Some(account)
        });
        TablePath::parse(behind.map_or(path, |(_, behind)| behind))
    }

    /// Returns the part for a rejected operation. An error that concerns no single part is returned for the complete
    /// batch.
    fn refuse(self, part: &Part<'_>, error: TableError) -> Result<PartReply, Refusal> {
        if error.status() >= 500 && error.code() != ErrorCode::NotImplemented
            || error.code() == ErrorCode::RequestBodyTooLarge
        {
            return Err(error.without_index().into());
        }
        let Negotiated { level, preference } = Negotiated::of_part(part);
        let level = level.unwrap_or(Level::Minimal);
        Ok(refused_part(&error, part.content_id, preference, level, (self.call.id, self.call.received)))
    }
}
