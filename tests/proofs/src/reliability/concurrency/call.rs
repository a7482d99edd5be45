//! Calls of clients, with their responses and times.

use serde::{Deserialize, Serialize};

/// Number of rows in a partition; they are numbered from 0.
pub const ROWS: u8 = 6;

/// The integers in a row, as properties `P0` to `P2`. Every write sends new integers, so a read identifies the write
/// that it observed.
pub type Slots = [Option<i64>; 3];

/// The time of a write in ticks, from which its ETag is derived.
pub type Version = i64;

/// Rows of a read, by number, ascending.
pub type Rows = Vec<(u8, Seen)>;

/// The number of a table and of its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The table's number.
    pub table: u8,
    /// The partition's number.
    pub partition: u8,
}

/// One call of one client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The number of the client. A client waits for a response before its next call, unless it abandons the call.
    pub client: u8,
    /// The time of the invocation.
    pub asked: u64,
    /// Its response; `None` if the client abandoned the call: it may take effect at any later time, or never.
    pub reply: Option<Reply>,
    /// The partition.
    pub place: Place,
    /// The request.
    pub ask: Ask,
}

/// A response and its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The time.
    pub at: u64,
    /// The response.
    pub answer: Answer,
}

/// A request to a partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Reads one row.
    Get(u8),
    /// Reads the rows from the first number up to but excluding the second, in one segment.
    Scan(u8, u8),
    /// Reads all rows of the table, in one segment: the only call that spans partitions.
    Table,
    /// One write.
    Write(Change),
    /// Several writes, as one transaction.
    Transact(Vec<Change>),
}

/// One write of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The row.
    pub row: u8,
    /// The operation.
    pub verb: Verb,
    /// The values.
    pub slots: Slots,
    /// The version that the row must have; `None` for any version. Only replace, merge and delete use it.
    pub version: Option<Version>,
}

/// The six write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Verb {
    Insert,
    Replace,
    Merge,
    InsertOrReplace,
    InsertOrMerge,
    Delete,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Response to a get.
    Row(Option<Seen>),
    /// Response to a scan.
    Rows(Rows),
    /// Response to a read of the table: the rows of each partition with rows.
    Table(Vec<(u8, Rows)>),
    /// The writes were executed; the version of each row, `None` if it was deleted.
    Done(Vec<Option<Version>>),
    /// Nothing was written.
    Refused(Refusal, Option<usize>),
}

/// A row as returned by a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its version.
    pub version: Version,
    /// Its values.
    pub slots: Slots,
}

/// Reason of a rejected write; in a transaction it is accompanied by the index of the failed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The row already exists.
    Exists,
    /// The row does not exist.
    Missing,
    /// The row has another version.
    Moved,
}

impl Ask {
    /// Returns its changes; `None` if it is a read.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        match self {
            Self::Get(_) | Self::Scan(..) | Self::Table => &[],
            Self::Write(change) => std::slice::from_ref(change),
            Self::Transact(changes) => changes,
        }
    }
}

impl Call {
    /// Returns the time of the response; the maximum if it received none.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.reply.as_ref().map_or(u64::MAX, |reply| reply.at)
    }

    /// Returns its response.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        self.reply.as_ref().map(|reply| &reply.answer)
    }

    /// Returns whether it certainly changed nothing.
    #[must_use]
    pub fn only_looked(&self) -> bool {
        self.ask.changes().is_empty() || matches!(self.answer(), Some(Answer::Refused(..)))
    }
}
