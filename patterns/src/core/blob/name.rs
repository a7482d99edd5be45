//! Names and metadata of the blobs of values.
//!
//! The name is `<table>/<hash of the PartitionKey>/<hash of the RowKey>/<property>/<token>`, in the container that is
//! named after the table, both in lower case. The token belongs to the attempt that wrote the blob, so attempts never
//! share a blob and names are never reused. The metadata contain the keys, so the owner of a blob can be determined
//! from the blob.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use table_model::{
    Metadata, TableName,
    blob::{BlobAddress, ContainerName},
};

use super::digest::{Digest, hex};
use crate::{Address, Error, Receipt};

/// The blob of one attempt to write a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlobPlace {
    pub(crate) owner: Address,
    pub(crate) name: String,
    token: String,
}

/// Number of bytes of a key's hash that the name contains, sufficient to avoid collisions.
const HASHED: usize = 16;

/// Length of a token.
const TOKEN: usize = 26;

impl BlobPlace {
    pub(crate) fn new(owner: &Address, property: &str, token: &str) -> Self {
        let name = format!("{}{property}/{token}", prefix(owner));
        Self { owner: owner.clone(), name, token: token.to_owned() }
    }

    /// Returns `true` if the blob belongs to this entity.
    pub(crate) fn is_of(owner: &Address, name: &str) -> bool {
        name.starts_with(&prefix(owner))
    }

    /// Returns whether a name has the form of a blob name of any entity.
    pub(crate) fn is_name(name: &str) -> bool {
        let is_hash =
            |part: &str| part.len() == 2 * HASHED && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let parts: Vec<&str> = name.split('/').collect();
        let [table, partition, row, property, token] = parts[..] else { return false };
        TableName::new(table).is_ok_and(|known| known.folded() == table)
            && is_hash(partition)
            && is_hash(row)
            && !property.is_empty()
            && token.len() == TOKEN
            && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }

    pub(crate) fn boxed_owner(&self) -> Box<Address> {
        Box::new(self.owner.clone())
    }

    /// Returns the attempt that writes the blob.
    pub(crate) fn receipt(&self) -> Receipt {
        let (table, partition_key) = (self.owner.table.clone(), self.owner.partition_key.clone());
        Receipt { table, partition_key, token: self.token.clone() }
    }

    /// Returns the metadata: the owner, and the digest if it is available before the upload.
    pub(crate) fn metadata(&self, digest: Option<Digest>) -> Result<Metadata, Error> {
        let mut metadata = Metadata::new()
            .with("table", self.owner.table.as_str())?
            .with("partition", BASE64.encode(&self.owner.partition_key))?
            .with("row", BASE64.encode(&self.owner.row_key))?
            .with("token", &self.token)?;
        if let Some(Digest { length, sha256 }) = digest {
            metadata.set("length", length.to_string())?;
            metadata.set("sha256", hex(&sha256))?;
        }
        Ok(metadata)
    }
}

/// Returns the common prefix of the names of all blobs of an entity.
fn prefix(owner: &Address) -> String {
    let hash = |key: &str| {
        let digest = Digest::of(key.as_bytes()).sha256;
        hex(digest.first_chunk::<HASHED>().unwrap_or(&[0; HASHED]))
    };
    format!("{}{}/{}/", folder(&owner.table), hash(&owner.partition_key), hash(&owner.row_key))
}

/// Returns the common prefix of the names of all blobs of a table.
pub(crate) fn folder(table: &TableName) -> String {
    format!("{}/", table.folded())
}

/// Owner of a blob, as read from its metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owned {
    pub(crate) owner: Address,
    pub(crate) token: String,
}

impl Owned {
    /// Reads the owner. Returns `None` for a blob that was not written by this library.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        let key = |name: &str| String::from_utf8(BASE64.decode(metadata.get(name)?).ok()?).ok();
        let table = TableName::new(metadata.get("table")?).ok()?;
        let owner = Address { table, partition_key: key("partition")?, row_key: key("row")? };
        Some(Self { owner, token: metadata.get("token")?.to_owned() })
    }
}

/// Returns the address of a blob. The container is the first part of the name.
pub(crate) fn address(name: &str) -> Result<BlobAddress, Error> {
    let container = name.split('/').next().unwrap_or_default();
    Ok(BlobAddress::new(container, name)?)
}

/// Returns the container of a table.
pub(crate) fn container(table: &TableName) -> Result<ContainerName, Error> {
    Ok(ContainerName::new(table.folded())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_says_whose_it_is() {
        let table = TableName::new("Employees").unwrap();
        for (partition_key, row_key) in [("Sales", "empid_000223"), ("", "é \u{10FFFF}")] {
            let owner = Address {
                table: table.clone(),
                partition_key: partition_key.into(),
                row_key: row_key.into(),
            };
            let token = "01J00000000000000000000000";
            let place = BlobPlace::new(&owner, "photo", token);
            let metadata = place.metadata(Some(Digest::of(b"abc"))).unwrap();
            assert_eq!(crate::blob_owner(&metadata), Some(owner.clone()));
            assert_eq!(Owned::of(&metadata), Some(Owned { owner, token: token.into() }));
            assert_eq!(address(&place.name).unwrap().container, container(&table).unwrap());
        }
        assert_eq!(Owned::of(&Metadata::new()), None);
    }

    #[test]
    fn name_with_one_other_part_is_no_name_of_a_blob() {
        let table = TableName::new("Employees").unwrap();
        let owner = Address { table, partition_key: "Sales".into(), row_key: "empid_000223".into() };
        let name = BlobPlace::new(&owner, "photo", "01J00000000000000000000000").name;
        assert!(BlobPlace::is_name(&name), "{name}");
        let parts: Vec<&str> = name.split('/').collect();
        let short = "01J0000000000000000000000";
        let others = [
            (0, "Employees"),
            (1, "Sales"),
            (2, "empid_000223"),
            (3, ""),
            (4, short),
            (4, "01J0000000000000000000000_"),
        ];
        for (at, other) in others {
            let mut changed = parts.clone();
            changed[at] = other;
            assert!(!BlobPlace::is_name(&changed.join("/")), "{changed:?}");
        }
        assert!(!BlobPlace::is_name(&format!("{name}/1")));
    }

    #[test]
    fn the_longest_name_and_the_longest_keys_fit() {
        let table = TableName::new("T".repeat(63)).unwrap();
        let owner = Address { table, partition_key: "語".repeat(512), row_key: "語".repeat(512) };
        let place = BlobPlace::new(&owner, &"p".repeat(255), &"0".repeat(26));
        assert!(place.metadata(Some(Digest { length: u64::MAX, sha256: [0; 32] })).is_ok());
        assert!(address(&place.name).is_ok());
    }
}
