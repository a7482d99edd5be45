//! What callers ask of the committer.

use futures_channel::oneshot;

use super::{job::Job, prepared::Prepared};
use crate::{Result, TableName, Written};

/// Where an answer goes. A caller that has gone away does not hinder the work.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// One request.
#[derive(Debug)]
pub(super) enum Request {
    /// Changes something, together with others.
    Member(Member),
    /// Answers when all that was acknowledged is on stable storage.
    Flush(Reply<()>),
    /// Answers when nothing that was deleted is left to sweep.
    Swept(Reply<()>),
    /// Ends the store.
    Close(Reply<()>),
    /// Makes the file as short as it can be, and ends the store.
    Compact(Reply<()>),
}

/// What takes part in a group.
#[derive(Debug)]
pub(super) enum Member {
    /// A change of tables or entities, which most are: not boxed.
    Change(Change, Reply<Vec<Written>>),
    /// Work of another service.
    Job(Box<dyn Job>),
}

impl Member {
    /// Operations and bytes that it adds to a group.
    pub(super) fn weight(&self) -> (usize, usize) {
        match self {
            Self::Change(change, _) => change.weight(),
            Self::Job(job) => job.weight(),
        }
    }

    /// Tells the caller how it ended. A job knows itself what to say if it went well.
    pub(super) fn answer(self, result: Result<Vec<Written>>) {
        match self {
            Self::Change(_, reply) => super::committer::answer(reply, result),
            Self::Job(job) => job.answer(result.map(drop)),
        }
    }
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
    fn weight(&self) -> (usize, usize) {
        match self {
            Self::Write { operations, .. } => {
                (operations.len(), operations.iter().map(Prepared::bytes).sum())
            }
            Self::CreateTable(_) | Self::DeleteTable(_) => (1, 0),
        }
    }
}
