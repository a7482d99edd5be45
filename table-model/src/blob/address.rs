use std::fmt;

use super::{BlobName, BlobSnapshot, ContainerName};
use crate::{ErrorCode, Result};

/// Address of a blob, or of one of its snapshots: its container and its name.
///
/// ```
/// use table_model::blob::BlobAddress;
///
/// let address = BlobAddress::new("logs", "queue/000001.log")?;
/// assert_eq!(address.to_string(), "logs/queue/000001.log");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobAddress {
    /// Container of the blob.
    pub container: ContainerName,
    /// Name of the blob in its container.
    pub name: BlobName,
    /// Snapshot of the blob. `None` addresses the blob itself. Snapshots can be read, copied and deleted; every other
    /// request for one is rejected.
    pub snapshot: Option<BlobSnapshot>,
}

impl BlobAddress {
    /// Creates an address from a container name and a blob name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters or too many segments.
    pub fn new(container: impl AsRef<str>, name: impl AsRef<str>) -> Result<Self> {
        Ok((ContainerName::new(container)?, BlobName::new(name)?).into())
    }

    /// Addresses a snapshot of the blob, or the blob itself.
    #[must_use]
    pub fn at(mut self, snapshot: impl Into<Option<BlobSnapshot>>) -> Self {
        self.snapshot = snapshot.into();
        self
    }

    /// Checks that the address is not that of a snapshot, which is read-only and has no leases.
    ///
    /// # Errors
    /// `InvalidOperation` for a snapshot.
    pub fn check_writable(&self) -> Result<()> {
        if self.snapshot.is_some() { Err(ErrorCode::InvalidOperation.into()) } else { Ok(()) }
    }
}

impl From<(ContainerName, BlobName)> for BlobAddress {
    fn from((container, name): (ContainerName, BlobName)) -> Self {
        Self { container, name, snapshot: None }
    }
}

impl fmt::Display for BlobAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.container, self.name)?;
        self.snapshot.map_or(Ok(()), |snapshot| write!(f, "?snapshot={snapshot}"))
    }
}
