use std::fmt;

use super::{BlobName, ContainerName};
use crate::Result;

/// Address of a blob: its container and its name.
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
}

impl BlobAddress {
    /// Creates an address from a container name and a blob name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters or too many segments.
    pub fn new(container: impl AsRef<str>, name: impl AsRef<str>) -> Result<Self> {
        Ok(Self { container: ContainerName::new(container)?, name: BlobName::new(name)? })
    }
}

impl fmt::Display for BlobAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.container, self.name)
    }
}
