//! Outcome of a write whose response was lost. The write may have been executed, may be executed at any later time, or
//! never.
//!
//! 1. If the entity contains the attempt's token, the write was executed. The version that contains it is
//!    [confirmed](table_model::TableService::confirm), as a failover can otherwise lose it.
//! 2. If a row still has the version that the write requires, the write was not executed. It can be sent again
//!    unchanged: of two copies, only one can find that version.
//! 3. If a commit record exists, the write was executed. Otherwise, an abort record with the same key ensures that it
//!    never will be. If a row then still has the required version, the write was not executed.
//!
//! A change feed has a row that alone decides: the record of the change. No record is written twice, and a record is
//! removed long after the last copy of its request can take effect.
//!
//! The outcome of any other write is unknown, and the caller receives an error. An operation without a version is never
//! sent again: the first copy can take effect after the second was acknowledged, and undo later acknowledged writes. An
//! insert is not sent again either: the first copy may have been executed, and another client may have deleted the
//! entity.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Condition, ETag, Operation, Rows, TableName, Timestamp, ValueRef, Written};

use crate::{
    Address, Error, Pending, Receipt, Tables,
    core::reserved::{NO_DERIVED_TOKEN, NO_TOKEN, TRANSACTION},
    write::{
        abort_record::{self, Fence},
        properties,
    },
};

/// Number of rows that are read concurrently for the versions of a completed write.
const AT_ONCE: usize = 16;

/// Operations that were sent as one transaction, or a single operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) operations: &'a [Operation],
    /// Receipt with the address of the commit record, if the attempt has one.
    pub(crate) receipt: Option<&'a Receipt>,
    /// Operation whose row proves the outcome, if the attempt has one: see [`Change::proof`](super::Change::proof).
    pub(crate) proof: Option<&'a Operation>,
}

/// Outcome of an attempt.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The attempt was executed. Contains one response for each operation.
    Done(Vec<Written>),
    /// The attempt was not executed, and can be sent again unchanged: at most one copy can take effect.
    Open,
    /// The attempt was not executed, and never will be.
    Never,
    /// The outcome cannot be determined.
    Unknown,
}

impl Attempt<'_> {
    /// Determines the outcome.
    pub(crate) async fn outcome(self, tables: &Tables) -> Result<Outcome, Error> {
        match self.proven(tables).await? {
            Proof::Done => return self.done(tables, None).await,
            Proof::Never => return Ok(Outcome::Never),
            Proof::Absent => return Ok(Outcome::Open),
            Proof::None => {}
        }
        let signs = self.signs(tables).await?;
        if signs.is_done {
            return self.done(tables, None).await;
        }
        if signs.is_as_read {
            return Ok(Outcome::Open);
        }
        self.end(tables).await
    }

    /// Determines the outcome of an attempt that must not be sent again, because a copy of it was rejected.
    pub(crate) async fn end(self, tables: &Tables) -> Result<Outcome, Error> {
        match self.proven(tables).await? {
            Proof::Done => return self.done(tables, None).await,
            Proof::Never => return Ok(Outcome::Never),
            Proof::Absent | Proof::None => {}
        }
        let mut is_fenced = false;
        if let Some(receipt) = self.receipt {
            match abort_record::fence(tables, receipt).await? {
                Fence::Committed(commit) => return self.done(tables, commit.written).await,
                Fence::Aborted => is_fenced = true,
            }
        }
        // The rows must be read after the abort record was written. The attempt may have been executed, and its record
        // applied, before that.
        let signs = self.signs(tables).await?;
        match (signs.is_done, signs.is_as_read && is_fenced) {
            (true, _) => self.done(tables, None).await,
            (_, true) => Ok(Outcome::Never),
            _ => Ok(Outcome::Unknown),
        }
    }

    /// Returns the token in the rows.
    pub(crate) fn token(&self) -> Option<&str> {
        self.operations.iter().find_map(token)
    }

    /// Reads the row that proves the outcome.
    async fn proven(&self, tables: &Tables) -> Result<Proof, Error> {
        let Some((operation, token)) = self.proof.and_then(|proof| Some((proof, token(proof)?))) else {
            return Ok(Proof::None);
        };
        let rows = tables.read_proof(&self.address(operation)).await?;
        Ok(match rows.get(0).map(|row| row.properties.get(TRANSACTION) == Some(ValueRef::String(token))) {
            None => Proof::Absent,
            Some(true) => Proof::Done,
            Some(false) => Proof::Never,
        })
    }

    /// Reads the rows for evidence of the outcome.
    async fn signs(&self, tables: &Tables) -> Result<Signs, Error> {
        let guard = self.operations.iter().find_map(|operation| Some((operation, guard(operation)?)));
        let witness = self.operations.iter().find_map(|operation| Some((operation, token(operation)?)));
        let mut signs = Signs { is_done: false, is_as_read: false };
        let mut last: Option<(&Operation, Rows)> = None;
        if let Some((operation, token)) = witness {
            let rows = tables.read_proof(&self.address(operation)).await?;
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

    /// Returns the responses of an executed attempt. If another client has written since, the returned version matches
    /// no row.
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

    /// Returns the address of the first operation.
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

/// Content of the row that proves the outcome.
enum Proof {
    /// The attempt has no such row.
    None,
    /// The row does not exist. The attempt was not executed; of two copies, at most one can take effect.
    Absent,
    /// The attempt was executed.
    Done,
    /// Another attempt wrote the row, so this one never will.
    Never,
}

struct Signs {
    /// The entity contains the token.
    is_done: bool,
    /// A row has the version that the attempt requires.
    is_as_read: bool,
}

/// Returns the version that an operation requires.
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
        table_model::Value::String(token) if ![NO_TOKEN, NO_DERIVED_TOKEN, ""].contains(&token.as_str()) => {
            Some(token)
        }
        _ => None,
    }
}

/// Returns whether the operation specifies all properties of the row, so that a later write by another client can be
/// detected.
const fn is_whole(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_) | Operation::Replace(..) | Operation::InsertOrReplace(_))
}
