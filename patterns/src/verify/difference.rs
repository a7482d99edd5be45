use std::fmt;

use crate::{Address, Error};

/// What is wrong with a row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WhatDiffers {
    /// An entity is to have it, and it is not there.
    Missing,
    /// It shows something else than its entity says.
    Stale,
    /// It is there, and its entity does not say so, or is not there.
    Orphan,
    /// It is the place that a worker took before it wrote, and nobody is at work. No reader sees it.
    Stub,
    /// It reserves a unique value for an attempt that nobody is at any more. No reader sees it, and no claimant minds it.
    Reserved,
    /// Two entities say that they have it. Which of them is right, only their owner knows.
    Taken,
    /// A count, sum or extreme is not what the entities add, or is not kept at all.
    WrongTotal,
    /// It does not say whose it is; or it is an entity that cannot be read, so that nobody knows what is to be kept of it.
    Unreadable,
    /// It is a blob that an entity names, and it is not there. Its bytes are gone.
    Lost,
}

impl WhatDiffers {
    /// All of them, in the order in which a report counts them.
    pub const ALL: [Self; 9] = [
        Self::Missing,
        Self::Stale,
        Self::Orphan,
        Self::Stub,
        Self::Reserved,
        Self::Taken,
        Self::WrongTotal,
        Self::Unreadable,
        Self::Lost,
    ];
}

impl fmt::Display for WhatDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Orphan => "orphan",
            Self::Stub => "stub",
            Self::Reserved => "reserved",
            Self::Taken => "taken",
            Self::WrongTotal => "wrong total",
            Self::Unreadable => "unreadable",
            Self::Lost => "lost",
        })
    }
}

/// What became of a difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Repair {
    /// It was only looked for.
    NotTried,
    /// The row is now what its entity says.
    Done,
    /// It is as it was: there is nothing that could be done about it without knowing more.
    Left,
    /// It could not be repaired.
    Failed(Error),
}

/// A row that is not what the entities say.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What is wrong.
    pub what: WhatDiffers,
    /// The index, or the type that keeps totals; none for an entity that cannot be read, and for a blob.
    pub index: Option<&'static str>,
    /// The row: of a member that is missing in a list, or stands in it without right, the list's own row.
    /// Of a blob the name stands in place of a RowKey.
    pub address: Address,
    /// The entity that it is of, as far as that is known.
    pub entity: Option<Address>,
    /// What became of it.
    pub repair: Repair,
}

/// `missing by_badge Employees(PartitionKey='badge',RowKey='7') of Employees(..): repaired`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<11} {} {}", self.what, self.index.unwrap_or("-"), self.address)?;
        if let Some(entity) = self.entity.as_ref().filter(|entity| **entity != self.address) {
            write!(f, " of {entity}")?;
        }
        match &self.repair {
            Repair::NotTried => Ok(()),
            Repair::Done => f.write_str(": repaired"),
            Repair::Left => f.write_str(": left as it is"),
            Repair::Failed(error) => write!(f, ": not repaired, {error}"),
        }
    }
}
