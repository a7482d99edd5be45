use std::{fmt, str::FromStr};

use super::{BlobConditions, BlobVersion};
use crate::{ErrorCode, Metadata, Result, TableError, Timestamp};

/// Identifies a snapshot of a blob: the time at which it was created.
///
/// The rules of snapshots follow the REST reference, "Snapshot Blob", "Delete Blob" and "Blob snapshots".
///
/// ```
/// use table_model::blob::{BlobAddress, BlobSnapshot};
///
/// let snapshot: BlobSnapshot = "2011-03-09T01:42:34.9360000Z".parse()?;
/// let photo = BlobAddress::new("photos", "jo.jpg")?.at(snapshot);
/// assert_eq!(photo.to_string(), "photos/jo.jpg?snapshot=2011-03-09T01:42:34.9360000Z");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobSnapshot(Timestamp);

impl BlobSnapshot {
    /// Returns the time at which the snapshot was created.
    #[must_use]
    pub const fn time(self) -> Timestamp {
        self.0
    }
}

impl From<Timestamp> for BlobSnapshot {
    fn from(time: Timestamp) -> Self {
        Self(time)
    }
}

/// Formats the time with seven fractional digits, as the service does.
impl fmt::Display for BlobSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_full_string())
    }
}

impl FromStr for BlobSnapshot {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self> {
        text.parse().map(Self).map_err(|_| ErrorCode::InvalidQueryParameterValue.into())
    }
}

/// Metadata and conditions of a new snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnapshotBlob {
    /// Metadata of the snapshot. If it is empty, the snapshot has that of the blob.
    pub metadata: Metadata,
    /// Preconditions on the blob. A lease is not required, but a specified one must be active.
    pub conditions: BlobConditions,
}

impl SnapshotBlob {
    /// Creates an unconditional request that keeps the metadata of the blob.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the metadata of the snapshot.
    #[must_use]
    pub fn metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets the preconditions on the blob.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }

    /// Returns the last modification and the metadata of a snapshot that is created at `time`, from those of the blob.
    /// A snapshot without metadata of its own has the version of the blob.
    #[must_use]
    pub fn applied(&self, modified: Timestamp, metadata: Metadata, time: Timestamp) -> (Timestamp, Metadata) {
        if self.metadata.is_empty() { (modified, metadata) } else { (time, self.metadata.clone()) }
    }
}

/// Result of creating a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshotted {
    /// The new snapshot.
    pub snapshot: BlobSnapshot,
    /// Version of the snapshot: that of the blob, unless the snapshot has metadata of its own.
    pub version: BlobVersion,
}

impl Snapshotted {
    /// Creates the result for a snapshot.
    #[must_use]
    pub fn new(snapshot: BlobSnapshot, version: BlobVersion) -> Self {
        Self { snapshot, version }
    }
}

/// Deletion of the snapshots of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteSnapshots {
    /// The blob and all its snapshots.
    Include,
    /// All snapshots, but not the blob.
    Only,
}

impl DeleteSnapshots {
    /// Returns the value used on the wire, in `x-ms-delete-snapshots`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Only => "only",
        }
    }

    /// Checks whether a blob or a snapshot can be deleted. `said` is the choice of the request, and `has_snapshots` is
    /// `true` if the blob has snapshots.
    ///
    /// # Errors
    /// `InvalidOperation` if a choice is made for a single snapshot, `SnapshotsPresent` if none is made for a blob that
    /// has snapshots.
    pub fn check(said: Option<Self>, is_snapshot: bool, has_snapshots: bool) -> Result<()> {
        match said {
            Some(_) if is_snapshot => Err(ErrorCode::InvalidOperation.into()),
            None if !is_snapshot && has_snapshots => Err(ErrorCode::SnapshotsPresent.into()),
            None | Some(_) => Ok(()),
        }
    }
}

impl FromStr for DeleteSnapshots {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self> {
        let found = [Self::Include, Self::Only].into_iter().find(|choice| choice.as_str() == text);
        found.ok_or_else(|| ErrorCode::InvalidHeaderValue.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::BlobAddress;

    #[test]
    fn a_snapshot_is_written_with_all_digits_and_read_back() {
        for (text, full) in [
            ("2011-03-09T01:42:34.9360000Z", "2011-03-09T01:42:34.9360000Z"),
            ("2011-03-09T01:42:34Z", "2011-03-09T01:42:34.0000000Z"),
        ] {
            let snapshot: BlobSnapshot = text.parse().unwrap();
            assert_eq!(snapshot.to_string(), full);
            assert_eq!(full.parse::<BlobSnapshot>().unwrap(), snapshot);
        }
        let code = |text: &str| text.parse::<BlobSnapshot>().map_err(|error| error.code());
        for wrong in ["", "now", "2011-03-09T01:42:34.936000Z!"] {
            assert_eq!(code(wrong), Err(ErrorCode::InvalidQueryParameterValue), "{wrong}");
        }
    }

    #[test]
    fn deletion_requires_a_choice_if_snapshots_exist() {
        use DeleteSnapshots::{Include, Only};
        for (said, is_snapshot, has_snapshots, code) in [
            (None, false, false, None),
            (None, false, true, Some(ErrorCode::SnapshotsPresent)),
            (Some(Include), false, true, None),
            (Some(Only), false, true, None),
            (Some(Include), false, false, None),
            (Some(Only), false, false, None),
            (None, true, true, None),
            (Some(Include), true, true, Some(ErrorCode::InvalidOperation)),
            (Some(Only), true, true, Some(ErrorCode::InvalidOperation)),
        ] {
            let found = DeleteSnapshots::check(said, is_snapshot, has_snapshots);
            assert_eq!(found.err().map(|error| error.code()), code, "{said:?} {is_snapshot} {has_snapshots}");
        }
        assert_eq!("only".parse::<DeleteSnapshots>().unwrap(), Only);
        assert_eq!("Only".parse::<DeleteSnapshots>().unwrap_err().code(), ErrorCode::InvalidHeaderValue);
    }

    #[test]
    fn own_metadata_makes_a_version_of_its_own() {
        let (base, own) = (Metadata::new().with("a", "1").unwrap(), Metadata::new().with("b", "2").unwrap());
        let (before, time) = (Timestamp::UNIX_EPOCH, Timestamp::MAX);
        assert_eq!(SnapshotBlob::new().applied(before, base.clone(), time), (before, base.clone()));
        let request = SnapshotBlob::new().metadata(own.clone());
        assert_eq!(request.applied(before, base, time), (time, own));
    }

    #[test]
    fn only_the_blob_itself_is_writable() {
        let blob = BlobAddress::new("photos", "jo.jpg").unwrap();
        blob.check_writable().unwrap();
        let snapshot = blob.at(BlobSnapshot::from(Timestamp::UNIX_EPOCH));
        assert_eq!(snapshot.check_writable().unwrap_err().code(), ErrorCode::InvalidOperation);
        snapshot.at(None::<BlobSnapshot>).check_writable().unwrap();
    }
}
