//! What became of a write whose answer was lost. It may have been done, may be done at any later time, or never.
//!
//! 1. Where the entity shows the attempt's token, it was done.
//! 2. Where a row still has the version that the write asks for, it was not done; it may be sent again as it is, since of
//!    two copies only one can find that version.
//! 3. Where there is a commit record, it was done. Where there is none, a marker in its place sees to it that it never
//!    will be; what then is as it was read was not written.
//!
//! The outcome of anything else is unknown, and the caller gets an error. An operation without a version is never sent
//! again: the first copy can take effect after the second was acknowledged, and undo what was acknowledged after it.
//! Neither is an insert: the first copy may have been done, and what it created deleted by another client.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_store::{Condition, ETag, Operation, Properties, Rows, TableName, Timestamp, ValueRef, Written};

use crate::{
    Address, Error, Pending, Receipt, Tables,
    derived::{NO_TOKEN, TRANSACTION},
    outbox::marker::{self, Fenced},
};

/// How many rows are read at once for the versions that a write left.
const AT_ONCE: usize = 16;

/// Operations that were sent together, or one that was sent alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) operations: &'a [Operation],
    /// Where its commit record is, if it has one.
    pub(crate) receipt: Option<&'a Receipt>,
}

/// What became of an attempt.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was done. One answer for each operation.
    Done(Vec<Written>),
    /// It was not done, and may be sent again unchanged: only one of the copies can take effect.
    Open,
    /// It was not done, and never will be.
    Never,
    /// Nobody can tell.
    Unknown,
}

impl Attempt<'_> {
    /// Finds out what became of it.
    pub(crate) async fn outcome(self, tables: &Tables) -> Result<Outcome, Error> {
        let signs = self.signs(tables).await?;
        if signs.is_done {
            return self.done(tables, None).await;
        }
        if signs.is_as_read {
            return Ok(Outcome::Open);
        }
        self.end(tables).await
    }

    /// The same, of an attempt that is not to be sent any more: a copy of it was refused.
    pub(crate) async fn end(self, tables: &Tables) -> Result<Outcome, Error> {
        let mut is_fenced = false;
        if let Some(receipt) = self.receipt {
            match marker::fence(tables, receipt).await? {
                Fenced::Committed(commit) => return self.done(tables, commit.written).await,
                Fenced::Aborted => is_fenced = true,
            }
        }
        // Only now: it may have been done, and followed, before the marker.
        let signs = self.signs(tables).await?;
        match (signs.is_done, signs.is_as_read && is_fenced) {
            (true, _) => self.done(tables, None).await,
            (_, true) => Ok(Outcome::Never),
            _ => Ok(Outcome::Unknown),
        }
    }

    /// The token that the rows hold.
    pub(crate) fn token(&self) -> Option<&str> {
        self.operations.iter().find_map(token)
    }

    /// What the rows say by themselves.
    async fn signs(&self, tables: &Tables) -> Result<Signs, Error> {
        let guard = self.operations.iter().find_map(|operation| Some((operation, guard(operation)?)));
        let witness = self.operations.iter().find_map(|operation| Some((operation, token(operation)?)));
        let mut signs = Signs { is_done: false, is_as_read: false };
        let mut last: Option<(&Operation, Rows)> = None;
        if let Some((operation, token)) = witness {
            let rows = tables.read(&self.address(operation), None).await?;
            let shown = rows.get(0).and_then(|row| row.properties.get(TRANSACTION));
            signs.is_done = shown == Some(ValueRef::String(token));
            last = Some((operation, rows));
        }
        if let Some((operation, etag)) = guard {
            let rows = match last {
                Some((read, rows)) if std::ptr::eq(read, operation) => rows,
                _ => tables.read(&self.address(operation), None).await?,
            };
            signs.is_as_read = rows.get(0).is_some_and(|row| *row.etag == etag);
        }
        Ok(signs)
    }

    /// The answers of what was done. Where another has written since, the version is one that nothing has any more.
    async fn done(self, tables: &Tables, written: Option<Timestamp>) -> Result<Outcome, Error> {
        let mut reads: Vec<Pending<'_, Written>> = Vec::with_capacity(self.operations.len());
        for operation in self.operations {
            reads.push(Box::pin(self.answer(tables, operation, written)));
        }
        let answers: Vec<_> = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
        Ok(Outcome::Done(answers))
    }

    async fn answer(
        self,
        tables: &Tables,
        operation: &Operation,
        written: Option<Timestamp>,
    ) -> Result<Written, Error> {
        let Some(sent) = properties(operation) else { return Ok(Written::Deleted) };
        if is_whole(operation) {
            let rows = tables.read(&self.address(operation), None).await?;
            let found = rows.get(0).filter(|row| row.properties.to_properties() == *sent);
            if let Some((etag, timestamp)) = found.and_then(|row| Some((row.etag.clone(), row.timestamp?))) {
                return Ok(Written::Version { etag, timestamp });
            }
        }
        let etag = ETag::from(Timestamp::UNIX_EPOCH);
        Ok(Written::Version { etag, timestamp: written.unwrap_or(Timestamp::UNIX_EPOCH) })
    }

    /// What its first operation is on.
    pub(crate) fn first(&self) -> Address {
        let keys = self.operations.first().map(|first| (first.partition_key(), first.row_key()));
        self.at(keys.unwrap_or_default())
    }

    fn address(&self, operation: &Operation) -> Address {
        self.at((operation.partition_key(), operation.row_key()))
    }

    fn at(&self, (partition_key, row_key): (&str, &str)) -> Address {
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        Address { table: self.table.clone(), partition_key, row_key }
    }
}

struct Signs {
    /// The entity shows the token.
    is_done: bool,
    /// A row has the version that the attempt asks for.
    is_as_read: bool,
}

/// The version that an operation asks for.
fn guard(operation: &Operation) -> Option<ETag> {
    match operation {
        Operation::Replace(_, Condition::Matches(etag))
        | Operation::Merge(_, Condition::Matches(etag))
        | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag.clone()),
        _ => None,
    }
}

fn token(operation: &Operation) -> Option<&str> {
    match properties(operation)?.get(TRANSACTION)? {
        table_store::Value::String(token) if token != NO_TOKEN && !token.is_empty() => Some(token),
        _ => None,
    }
}

fn properties(operation: &Operation) -> Option<&Properties> {
    match operation {
        Operation::Insert(entity)
        | Operation::InsertOrReplace(entity)
        | Operation::InsertOrMerge(entity)
        | Operation::Replace(entity, _)
        | Operation::Merge(entity, _) => Some(&entity.properties),
        _ => None,
    }
}

/// Whether all that the row is to hold is said, so that it can be told whether another has written since.
const fn is_whole(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_) | Operation::Replace(..) | Operation::InsertOrReplace(_))
}
