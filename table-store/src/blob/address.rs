use std::fmt;

use super::{BlobName, ContainerName};
use crate::Result;

/// Where a blob is: its container and its name.
///
/// ```
/// use table_store::blob::BlobAddress;
///
/// let address = BlobAddress::new("logs", "queue/000001.log")?;
/// assert_eq!(address.to_string(), "logs/queue/000001.log");
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobAddress {
    /// Its container.
    pub container: ContainerName,
    /// Its name there.
    pub name: BlobName,
}

impl BlobAddress {
    /// Checks both names.
    ///
    /// # Errors
    /// `OutOfRangeInput` for a length, `InvalidResourceName` for what a name is made of.
    pub fn new(container: impl AsRef<str>, name: impl AsRef<str>) -> Result<Self> {
        Ok(Self { container: ContainerName::new(container)?, name: BlobName::new(name)? })
    }
}

impl fmt::Display for BlobAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.container, self.name)
    }
}
