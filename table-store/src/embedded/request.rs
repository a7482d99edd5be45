//! What callers ask of the committer.

use futures_channel::oneshot;

use super::prepared::Prepared;
use crate::{Result, TableName, Written};

/// Where an answer goes. A caller that has gone away does not hinder the work.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// One request.
#[derive(Debug)]
pub(super) enum Request {
    /// Changes something.
    Change(Change, Reply<Vec<Written>>),
    /// Answers when all that was acknowledged is on stable storage.
    Flush(Reply<()>),
    /// Answers when no deleted table is left to sweep.
    Swept(Reply<()>),
    /// Ends the store.
    Close(Reply<()>),
}

/// What a request changes.
#[derive(Debug)]
pub(super) enum Change {
    /// Entities of one partition, all or none. In a transaction errors carry the operation's index.
    Write { table: TableName, operations: Vec<Prepared>, transaction: bool },
    /// A table to be.
    CreateTable(TableName),
    /// A table to be no more.
    DeleteTable(TableName),
}

impl Change {
    /// Operations and bytes that it adds to a group.
    pub(super) fn weight(&self) -> (usize, usize) {
        match self {
            Self::Write { operations, .. } => {
                (operations.len(), operations.iter().map(Prepared::bytes).sum())
            }
            Self::CreateTable(_) | Self::DeleteTable(_) => (1, 0),
        }
    }
}
