//! Requests to the committer.

use futures_channel::oneshot;
use table_model::{Result, TableName, Written};

use crate::{job::Job, prepared::Prepared};

/// Channel for the result. A caller that no longer waits does not affect the request.
pub(crate) type Reply<T> = oneshot::Sender<Result<T>>;

/// A request to the committer.
#[derive(Debug)]
pub(crate) enum Request {
    /// A change, executed together with others.
    Member(Member),
    /// Waits until all acknowledged writes are on stable storage.
    Flush(Reply<()>),
    /// Waits until all deleted data is swept.
    Swept(Reply<()>),
    /// Closes the store.
    Close(Reply<()>),
    /// Minimizes the file and closes the store.
    Compact(Reply<()>),
}

/// A member of a group.
#[derive(Debug)]
pub(crate) enum Member {
    /// A change of tables or entities. Not boxed, because it is the most frequent member.
    Change(Change, Reply<Vec<Written>>),
    /// A request of another service.
    Job(Box<dyn Job>),
}

impl Member {
    /// Returns the number of operations and bytes that it adds to a group.
    pub(crate) fn weight(&self) -> (usize, usize) {
        match self {
            Self::Change(change, _) => change.weight(),
            Self::Job(job) => job.weight(),
        }
    }

    /// Sends the result to the caller. A successful job sends its stored result.
    pub(crate) fn answer(self, result: Result<Vec<Written>>) {
        match self {
            Self::Change(_, reply) => crate::committer::answer(reply, result),
            Self::Job(job) => job.answer(result.map(drop)),
        }
    }
}

/// Returns the number of operations and bytes of a group.
pub(crate) fn weight(members: &[Member]) -> (usize, usize) {
    members.iter().map(Member::weight).fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

/// A change of tables or entities.
#[derive(Debug)]
pub(crate) enum Change {
    /// Atomic writes of entities in one partition. Errors of a transaction contain the index of the operation.
    Write { table: TableName, operations: Vec<Prepared>, transaction: bool },
    /// Creates a table.
    CreateTable(TableName),
    /// Deletes a table.
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
