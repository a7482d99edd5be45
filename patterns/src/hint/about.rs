//! What a hint can be about besides the records of a partition.

use serde::{Deserialize, Serialize};

use super::{Hint, claim, upload};
use crate::{Address, Error, Tables};

/// What an attempt began outside of the entity's partition before its commit. Nothing else says that it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum About {
    /// A unique value was, or was to be, reserved.
    Claim(Claim),
    /// A blob was, or was to be, written.
    Upload(Upload),
}

/// A reservation of a value that only one entity may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// The index, by its name in the entity's design.
    pub(crate) rule: String,
    /// The entity's RowKey; it is in the hint's partition, and need not be there.
    pub(crate) row_key: String,
    /// The row that is the reservation.
    #[serde(with = "address")]
    pub(crate) row: Address,
}

/// A blob that an entity is to name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Upload {
    /// The property, by its name in the entity's design.
    pub(crate) rule: String,
    /// The entity's RowKey; it is in the hint's partition, and need not be there.
    pub(crate) row_key: String,
    pub(crate) container: String,
    pub(crate) blob: String,
}

/// What somebody who looked found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// Nothing is left of it; nor will be, if the look began after the hint's deadline.
    Done,
    /// Something is: it must be looked at again.
    Left,
}

/// Looks at one thing that a hint is about, after all records of its partition were worked off. `is_over` says whether its
/// deadline had passed before any of that began.
pub(crate) async fn look(
    tables: &Tables,
    hint: &Hint,
    about: &About,
    is_over: bool,
) -> Result<Looked, Error> {
    match about {
        About::Claim(claim) => claim::look(tables, hint, claim).await,
        About::Upload(upload) => upload::look(tables, hint, upload, is_over).await,
    }
}

/// An address as its three parts.
mod address {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use table_store::TableName;

    use crate::Address;

    pub(super) fn serialize<S: Serializer>(address: &Address, to: S) -> Result<S::Ok, S::Error> {
        (address.table.as_str(), &address.partition_key, &address.row_key).serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Address, D::Error> {
        let (table, partition_key, row_key) = <(String, String, String)>::deserialize(from)?;
        let table = TableName::new(table).map_err(D::Error::custom)?;
        Ok(Address { table, partition_key, row_key })
    }
}
