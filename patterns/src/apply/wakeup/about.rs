//! Work that a wake-up message can refer to in addition to the commit records of a partition.

use serde::{Deserialize, Serialize};

use super::{Hint, claim, upload};
use crate::{Address, Error, Tables};

/// Work that an attempt started outside the partition of the entity before its commit. Only the wake-up message records
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum About {
    /// Reservation of a unique value, finished or not.
    Claim(Claim),
    /// Upload of a blob, finished or not.
    Upload(Upload),
}

/// Reservation of a unique value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// Name of the index in the design of the entity.
    pub(crate) rule: String,
    /// RowKey of the entity, which is in the partition of the message and may not exist.
    pub(crate) row_key: String,
    /// The reservation row.
    #[serde(with = "address")]
    pub(crate) row: Address,
}

/// A blob of an entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Upload {
    /// Name of the property in the design of the entity.
    pub(crate) rule: String,
    /// RowKey of the entity, which is in the partition of the message and may not exist.
    pub(crate) row_key: String,
    pub(crate) container: String,
    pub(crate) blob: String,
}

/// Result of checking the work of a wake-up message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// Nothing remains to be done. If the check started after the deadline of the message, nothing can be added later.
    Done,
    /// Some work remains and must be checked again.
    Left,
}

/// Checks one item of a wake-up message, after all records of its partition were processed. `is_over` is `true` if the
/// deadline of the message had passed before processing started.
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

/// Serialization of an address as its three parts.
mod address {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use table_model::TableName;

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
