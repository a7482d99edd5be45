use std::fmt;

use crate::{Address, Error};

/// Kind of difference between a row and its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// An entity requires the row, and it does not exist.
    Missing,
    /// The row does not show the current state of its entity.
    Stale,
    /// The row exists, but its entity does not require it or does not exist.
    Orphaned,
    /// A placeholder row of a worker that is no longer running. Readers ignore it.
    Placeholder,
    /// A reservation of a unique value for an attempt that is no longer running. Readers and claimants ignore it.
    Reserved,
    /// The key of the required row is in use: by another entity, by a row of another entity type, or by a row that a
    /// client wrote past the library. The library cannot determine which row is correct.
    Taken,
    /// A count, sum or extreme differs from the contributions of the entities, or is missing.
    WrongTotal,
    /// The row cannot be compared: it has no valid source, it is a lookup list that cannot be decoded, its aggregate
    /// cannot be computed, or it is an entity that cannot be decoded, so the required rows are unknown.
    Unreadable,
    /// A row that no job changes. It may be an entity: its key has the form of an index in the partition of the entity,
    /// but it was not written as a row of the index and no entity requires it; or it has the `EntityType` of the entity,
    /// and no declared key has its form. Or it is an incorrect index row to which another client added a property, which
    /// neither a version of the type nor the entity has.
    Unknown,
    /// The entity has a version that the type does not read, so it was not processed. Upgrade older entities first; use
    /// the newest version of the type for newer ones.
    OtherVersion,
    /// A blob that an entity references does not exist. Its contents are lost.
    Lost,
}

impl DifferenceKind {
    /// All kinds, in the order of a report.
    pub const ALL: [Self; 11] = [
        Self::Missing,
        Self::Stale,
        Self::Orphaned,
        Self::Placeholder,
        Self::Reserved,
        Self::Taken,
        Self::WrongTotal,
        Self::Unreadable,
        Self::Unknown,
        Self::OtherVersion,
        Self::Lost,
    ];
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Orphaned => "orphaned",
            Self::Placeholder => "placeholder",
            Self::Reserved => "reserved",
            Self::Taken => "taken",
            Self::WrongTotal => "wrong total",
            Self::Unreadable => "unreadable",
            Self::Unknown => "unknown",
            Self::OtherVersion => "other version",
            Self::Lost => "lost",
        })
    }
}

/// Repair status of a difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RepairStatus {
    /// No repair was requested.
    NotTried,
    /// The row has been repaired.
    Done,
    /// The row is unchanged, because the correct state is unknown.
    Left,
    /// The repair failed.
    Failed(Error),
}

/// A difference between a row and the entities.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Kind of the difference.
    pub what: DifferenceKind,
    /// The index, or the entity type with the aggregate. `None` for an entity that cannot be decoded, and for a blob.
    pub index: Option<&'static str>,
    /// Address of the row. For a missing or superfluous list member, this is the list row. For a blob, the name of the
    /// blob takes the place of the RowKey.
    pub address: Address,
    /// The entity that the row belongs to, if it can be determined.
    pub entity: Option<Address>,
    /// Repair status.
    pub repair: RepairStatus,
    /// Why an entity cannot be decoded.
    pub cause: Option<Error>,
}

/// Formats the difference, for example
/// `missing by_badge Employees(PartitionKey='badge',RowKey='7') of Employees(..): repaired`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<11} {} {}", self.what, self.index.unwrap_or("-"), self.address)?;
        if let Some(entity) = self.entity.as_ref().filter(|entity| **entity != self.address) {
            write!(f, " of {entity}")?;
        }
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        match &self.repair {
            RepairStatus::NotTried => Ok(()),
            RepairStatus::Done => f.write_str(": repaired"),
            RepairStatus::Left => f.write_str(": unchanged"),
            RepairStatus::Failed(error) => write!(f, ": repair failed: {error}"),
        }
    }
}
