//! What a client asked, what it was answered, and when.

use serde::{Deserialize, Serialize};

/// How many rows a partition has; they are numbered from 0 on.
pub const ROWS: u8 = 6;

/// The integers that a row holds, as properties `P0` to `P2`. Every write sends new ones, so a read tells whose it saw.
pub type Slots = [Option<i64>; 3];

/// The ticks of the time that a write gave: what its ETag is made from.
pub type Version = i64;

/// Rows as they were read, by number, ascending.
pub type Rows = Vec<(u8, Seen)>;

/// Which partition of which table.
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
    /// Whose it is. A client waits for an answer before it asks again, unless it gives the call up.
    pub client: u8,
    /// When it was asked.
    pub asked: u64,
    /// Its answer; none if the client gave up: it may take effect at any time after it was asked, or never.
    pub reply: Option<Reply>,
    /// Where.
    pub place: Place,
    /// What.
    pub ask: Ask,
}

/// An answer and when it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// When.
    pub at: u64,
    /// What.
    pub answer: Answer,
}

/// What is asked of a partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// One row.
    Get(u8),
    /// The rows from the first number on, up to but without the second, in one segment.
    Scan(u8, u8),
    /// All rows of the table, in one segment: the one call that is not of one partition.
    Table,
    /// One write.
    Write(Change),
    /// Several writes, all or none.
    Transact(Vec<Change>),
}

/// One write of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Which row.
    pub row: u8,
    /// How.
    pub verb: Verb,
    /// What is sent.
    pub slots: Slots,
    /// The version that the row must have; none if any will do. Only replace, merge and delete look at it.
    pub version: Option<Version>,
}

/// The six writes.
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

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// To a get.
    Row(Option<Seen>),
    /// To a scan.
    Rows(Rows),
    /// To a look at the table: the rows of each partition that has some.
    Table(Vec<(u8, Rows)>),
    /// The writes are made; the version that each row has now, none if it is deleted.
    Done(Vec<Option<Version>>),
    /// Nothing was written.
    Refused(Refusal, Option<usize>),
}

/// A row as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its version.
    pub version: Version,
    /// What it holds.
    pub slots: Slots,
}

/// Why a write was refused; in a transaction the index of the change at fault stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The row is there already.
    Exists,
    /// The row is not there.
    Missing,
    /// The row has another version.
    Moved,
}

impl Ask {
    /// The changes that it makes; none if it reads.
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
    /// When it was answered; the end of all time if it was not.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.reply.as_ref().map_or(u64::MAX, |reply| reply.at)
    }

    /// Its answer.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        self.reply.as_ref().map(|reply| &reply.answer)
    }

    /// Whether it certainly changed nothing.
    #[must_use]
    pub fn only_looked(&self) -> bool {
        self.ask.changes().is_empty() || matches!(self.answer(), Some(Answer::Refused(..)))
    }
}
