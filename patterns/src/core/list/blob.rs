//! A blob of a list, with one line per member. A full blob is marked as spilled, and further members are stored in up
//! to 16 blobs below its name, selected by the hash of their keys. These blobs can spill in the same way.

use table_model::{
    TableName,
    blob::{BlobAddress, BlobName, ContainerName},
};

use super::Pair;
use crate::{Address, Error};

/// Maximum size of one blob, in bytes.
pub(crate) const MOST_BYTES: usize = 256 * 1024;
/// Suffix of the name of a first blob.
const ENDING: &str = ".jsonl";

/// Location of a list blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListBlob {
    /// Name of the lookup, for messages.
    pub(crate) lookup: &'static str,
    pub(crate) table: TableName,
    pub(crate) at: BlobAddress,
    /// Number of levels above the blob.
    pub(crate) depth: u32,
}

impl ListBlob {
    /// Returns the first blob of the list for these key values.
    pub(crate) fn first(lookup: &'static str, table: &TableName, values: &str) -> Result<Self, Error> {
        Self::of_name(lookup, table, BlobName::new(format!("{lookup}/{values}{ENDING}"))?)
    }

    /// Returns the blob with this name.
    pub(crate) fn of_name(lookup: &'static str, table: &TableName, name: BlobName) -> Result<Self, Error> {
        let container = ContainerName::new(table.folded())?;
        let below = name.as_str().rsplit_once(ENDING).map_or("", |(_, below)| below);
        let depth = u32::try_from(below.matches('/').count()).unwrap_or_default();
        Ok(Self { lookup, table: table.clone(), at: (container, name).into(), depth })
    }

    /// Returns the first blob of the same list. Returns `None` if the name does not belong to a list.
    pub(crate) fn to_first(&self) -> Option<Self> {
        let values = self.values()?;
        Self::first(self.lookup, &self.table, values).ok()
    }

    /// Returns the key values of the list, as contained in the name.
    fn values(&self) -> Option<&str> {
        let (list, _) = self.at.name.as_str().rsplit_once(ENDING)?;
        list.strip_prefix(self.lookup)?.strip_prefix('/')
    }

    /// Returns the address that a member row would have if the list were in a table.
    pub(crate) fn posting(&self, row_key: &str) -> Address {
        let partition_key = self.values().unwrap_or_default().to_owned();
        Address { table: self.table.clone(), partition_key, row_key: row_key.to_owned() }
    }

    /// Returns the container and the name as an address.
    pub(crate) fn address(&self) -> Address {
        let row_key = self.at.name.to_string();
        Address { table: self.table.clone(), partition_key: String::new(), row_key }
    }

    pub(crate) fn name(&self) -> &str {
        self.at.name.as_str()
    }

    /// Returns the blob below this blob that contains a member once this blob is full.
    pub(crate) fn below(&self, pair: &Pair) -> Result<Self, Error> {
        let hash = crc32c::crc32c(pair.id().as_bytes());
        let digit = hash.rotate_right(4 * (self.depth % 8)) & 0xf;
        let name = BlobName::new(format!("{}/{digit:x}", self.at.name))?;
        let at = BlobAddress { name, ..self.at.clone() };
        Ok(Self { at, depth: self.depth + 1, ..self.clone() })
    }
}
