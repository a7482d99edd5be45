//! Entity reads: by address, and queries.

use http::StatusCode;
use table_model::{ErrorCode, Filter, Query, QueryClass, TableError};

use super::{
    Served, answer,
    answer::Answer,
    options::{Options, Selection},
    page::Page,
    table_name,
};
use crate::{
    server::{Facts, Refusal, Reply, observe::Stage},
    wire::{
        continuation::{self, EntityToken, order},
        entity::RowWriter,
        level::Level,
        path::TablePath,
        query_string::QueryString,
    },
};

/// Bytes reserved for each row, and for the metadata of a response.
const ROW_BYTES: usize = 448;
const METADATA_BYTES: usize = 128;

impl Served<'_> {
    pub(super) async fn query_entities(
        self,
        facts: &mut Facts,
        table: &str,
        level: Level,
    ) -> Result<Reply, Refusal> {
        let probe = &self.call.probe;
        let planning = probe.start(Stage::Plan);
        let Options { filter, select, top } = Options::of(&self.call.query)?;
        let range = self.grant.key_range();
        let asked = self.call.header(&continuation::header::ORDER);
        let order = [order::ASCENDING, order::DESCENDING].into_iter().find(|order| asked == Some(order));
        // Addresses and key ranges need the keys, even if the response does not contain them.
        let needs_keys = level == Level::Full || range.is_some();
        let query = Query {
            filter: within(filter, range.and_then(crate::auth::KeyRange::filter))?,
            select: select
                .as_ref()
                .map(|select| if needs_keys { select.with_keys() } else { select.names.clone() }),
            top,
            continuation: token(&self.call.query)?.map(|token| token.join()).transpose()?,
            read_bytes: None,
            descending: order == Some(order::DESCENDING),
        };
        let table_name = table_name(table)?;
        let share = &*self.account.share;
        let writer = self.rows_at(level, table, select.as_ref());
        let most_bytes = share.limits().page_bytes;
        let mut page = Page::new(&*self.account.tables, &table_name, writer, range, query, most_bytes, probe);
        drop(planning);
        // A single entity is short work. Everything else may read and write megabytes.
        let held = if page.class == QueryClass::Point {
            page.slice().await?;
            None
        } else {
            Some(page.read_in_turns(share).await?)
        };
        (facts.class, facts.read, facts.returned) = (Some(page.class), page.read, page.returned);
        let previous = page.previous.take();
        let (content, continuation) = page.finish();
        let mut reply = answer::json(answer::reply(StatusCode::OK), level, content);
        reply.held = held;
        if let Some(token) = continuation {
            let token = EntityToken::cut(&token);
            reply = reply.text(continuation::header::PARTITION_KEY, &token.partition_key);
            reply = reply.text(continuation::header::ROW_KEY, token.row_key.as_deref().unwrap_or_default());
        }
        if let Some(order) = order {
            reply = reply.header(continuation::header::ORDER, order);
            if let Some(token) = previous {
                reply = reply.text(continuation::header::PREVIOUS, token.as_str());
            }
        }
        Ok(reply)
    }

    pub(super) async fn query_entity(
        self,
        facts: &mut Facts,
        path: &TablePath,
        select: Option<&Selection>,
        level: Level,
    ) -> Result<Answer, Refusal> {
        let TablePath::Entity { table, partition_key, row_key } = path else {
            return Err(ErrorCode::InvalidInput.into());
        };
        facts.class = Some(QueryClass::Point);
        let names =
            select.map(|select| if level == Level::Full { select.with_keys() } else { select.names.clone() });
        let tables = &self.account.tables;
        let reading = self.call.probe.start(Stage::Read);
        let rows = tables.find(&table_name(table)?, partition_key, row_key, names.as_deref()).await?;
        let is_outside = self.grant.key_range().is_some_and(|range| !range.contains(partition_key, row_key));
        let Some(row) = rows.get(0).filter(|_| !is_outside) else {
            return Err(ErrorCode::ResourceNotFound.into());
        };
        (facts.read, facts.returned) = (1, 1);
        let mut content = String::with_capacity(METADATA_BYTES + ROW_BYTES);
        self.rows_at(level, table, select).push_row(&mut content, &row);
        drop(reading);
        Ok(Answer {
            status: StatusCode::OK,
            etag: Some(row.etag.clone()),
            location: None,
            preference: None,
            content: Some((level, content)),
        })
    }

    pub(super) fn rows_at<'s>(
        &'s self,
        level: Level,
        table: &'s str,
        select: Option<&'s Selection>,
    ) -> RowWriter<'s> {
        RowWriter {
            level,
            account: self.account.name.as_str(),
            root: &self.call.root,
            table,
            select: select.map(Selection::echo),
        }
    }
}

/// Combines the filter of the client with the permitted key range. If the combination exceeds the filter limits, the
/// rows are filtered after the read instead.
fn within(filter: Option<Filter>, granted: Option<Filter>) -> Result<Option<Filter>, TableError> {
    match (filter, granted) {
        (Some(filter), Some(granted)) => {
            filter.check()?;
            let both = granted.and(filter.clone());
            Ok(Some(if both.check().is_ok() { both } else { filter }))
        }
        (filter, granted) => Ok(filter.or(granted)),
    }
}

/// Returns the continuation token of a request. A client must not send a part that it did not receive, such as an empty
/// RowKey.
fn token(query: &QueryString) -> Result<Option<EntityToken>, TableError> {
    let partition_key = query.get(continuation::parameter::PARTITION_KEY);
    let row_key = query.get(continuation::parameter::ROW_KEY);
    match (partition_key, row_key) {
        (None, None) => Ok(None),
        (Some(partition_key), row_key) => Ok(Some(EntityToken {
            partition_key: partition_key.to_owned(),
            row_key: row_key.map(str::to_owned),
        })),
        (None, Some(_)) => Err(ErrorCode::InvalidInput.into()),
    }
}
