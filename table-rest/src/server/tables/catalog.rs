//! Tables: list, get, create, delete.

use http::{HeaderMap, StatusCode, header};
use table_model::{ErrorCode, Filter, TableError, TableName, service::ListTables};

use super::{
    BODY_BYTES, Served, answer,
    negotiated::{Negotiated, check_json},
    options::Options,
};
use crate::{
    server::{Facts, Refusal, Reply, RequestBody, observe::Stage},
    wire::{
        continuation::{self, frame_tables, unframe_tables},
        level::Level,
        path::TableLink,
        tables::{self, TableWriter},
    },
};

impl Served<'_> {
    pub(super) async fn query_tables(self, facts: &mut Facts, level: Level) -> Result<Reply, Refusal> {
        let query = &self.call.query;
        let options = Options::of(query)?;
        let mut request = ListTables::new();
        request.filter = options.filter;
        request.top = options.top;
        request.continuation =
            query.get(continuation::parameter::TABLE_NAME).map(unframe_tables).transpose()?;
        let segment = self.account.tables.list_tables(request).await?;
        let count = segment.tables.len();
        (facts.read, facts.returned) = (count as u64, count as u64);
        let mut content = String::with_capacity(128 + 32 * count);
        self.tables_at(level).push_list(&mut content, segment.tables.iter().map(TableName::as_str));
        let mut reply = answer::json(answer::reply(StatusCode::OK), level, content);
        if let Some(token) = segment.continuation {
            reply = reply.text(continuation::header::TABLE_NAME, &frame_tables(&token));
        }
        Ok(reply)
    }

    pub(super) async fn query_table(
        self,
        facts: &mut Facts,
        name: &str,
        level: Level,
    ) -> Result<Reply, Refusal> {
        let name = TableName::new(name)?;
        let found = self.find_table(&name).await?.ok_or(ErrorCode::ResourceNotFound)?;
        (facts.read, facts.returned) = (1, 1);
        let mut content = String::new();
        self.tables_at(level).push_element(&mut content, found.as_str());
        Ok(answer::json(answer::reply(StatusCode::OK), level, content))
    }

    /// Returns the error for an address below a table.
    pub(super) async fn nothing_beneath(self, table: &str) -> Refusal {
        let keys = "The number of keys specified in the URI does not match number of key properties for the resource.";
        match self.check_table(table).await {
            Ok(()) => TableError::with_message(ErrorCode::InvalidInput, keys).into(),
            Err(refusal) => refusal,
        }
    }

    /// Checks that a table exists.
    ///
    /// # Errors
    ///
    /// Returns `TableNotFound`, or the error for an invalid table name.
    pub(super) async fn check_table(self, table: &str) -> Result<(), Refusal> {
        self.find_table(&super::table_name(table)?).await?.ok_or(ErrorCode::TableNotFound)?;
        Ok(())
    }

    /// Returns the table name with the case used at creation.
    async fn find_table(self, name: &TableName) -> Result<Option<TableName>, TableError> {
        // All spellings of a name sort between its uppercase and its lowercase form.
        let capitals = name.as_str().to_ascii_uppercase();
        let spellings = Filter::ge("TableName", capitals).and(Filter::le("TableName", name.folded()));
        let mut request = ListTables::new().filter(spellings.clone());
        loop {
            let segment = self.account.tables.list_tables(request).await?;
            let found = segment.tables.into_iter().find(|table| table == name);
            match (found, segment.continuation) {
                (None, Some(token)) => {
                    request = ListTables::new().filter(spellings.clone()).continuation(token);
                }
                (found, _) => return Ok(found),
            }
        }
    }

    pub(super) async fn create_table(
        self,
        negotiated: Negotiated,
        body: RequestBody,
    ) -> Result<Reply, Refusal> {
        check_unconditional(&self.call.headers)?;
        check_json(self.call.header("content-type"))?;
        let echo = negotiated.echo()?;
        let body = body.whole(BODY_BYTES).await?;
        let name = TableName::new(tables::read_request(&body)?)?;
        let probe = &self.call.probe;
        probe.set_table(name.as_str());
        probe.time(Stage::CommitWait, self.account.tables.create_table(&name)).await?;
        let location = format!("{}/{}", self.call.root, TableLink(name.as_str()));
        let answer = answer::Answer {
            status: if echo.is_some() { StatusCode::CREATED } else { StatusCode::NO_CONTENT },
            etag: None,
            location: Some(location),
            preference: negotiated.preference,
            content: echo.map(|level| {
                let mut content = String::new();
                self.tables_at(level).push_element(&mut content, name.as_str());
                (level, content)
            }),
        };
        Ok(answer.into_reply())
    }

    pub(super) async fn delete_table(self, name: &str) -> Result<Reply, Refusal> {
        check_unconditional(&self.call.headers)?;
        let (name, probe) = (TableName::new(name)?, &self.call.probe);
        probe.set_table(name.as_str());
        probe.time(Stage::CommitWait, self.account.tables.delete_table(&name)).await?;
        Ok(answer::reply(StatusCode::NO_CONTENT))
    }

    fn tables_at(&self, level: Level) -> TableWriter<'_> {
        TableWriter { level, account: self.account.name.as_str(), root: &self.call.root }
    }
}

/// Tables have no versions.
fn check_unconditional(headers: &HeaderMap) -> Result<(), TableError> {
    if headers.contains_key(header::IF_MATCH) || headers.contains_key(header::IF_NONE_MATCH) {
        let message = "If-Match or If-None-Match headers cannot be specified if the target type does not have etag \
            properties defined.";
        return Err(TableError::with_message(ErrorCode::InvalidInput, message));
    }
    Ok(())
}
