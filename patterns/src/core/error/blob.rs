use std::{io, sync::Arc};

use crate::Address;

/// Error of reading or writing a value in a blob.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The entity references a blob that does not exist. `verify` finds all such references.
    #[error("blob {blob} referenced by {owner} does not exist; it was deleted outside the library")]
    Missing {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the blob.
        blob: String,
    },
    /// The content of a blob differs from the value that was written.
    #[error("blob {blob} of {owner} is damaged: its length or hash differs from the written value")]
    Damaged {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the blob.
        blob: String,
    },
    /// The value was deleted after the entity was read: the entity was deleted, or the value was set to `None`.
    #[error("`{property}` of {owner} was deleted after it was read; read the entity again")]
    Gone {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the property.
        property: &'static str,
    },
    /// The value was replaced while it was read in pieces. The bytes returned so far are the start of the old value.
    #[error("`{property}` of {owner} was replaced while it was read; restart the read")]
    Replaced {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the property.
        property: &'static str,
    },
    /// A property of a [`DynamicEntity`](crate::DynamicEntity) references a blob that belongs to an entity with another
    /// key. Nothing was written.
    #[error(
        "`{property}` of {owner} references blob {blob} of another entity, which is deleted with that \
         entity; write the value as a `Blob` through the entity's type, which copies it"
    )]
    NotOwned {
        /// Address of the entity of the write.
        owner: Box<Address>,
        /// Name of the property.
        property: String,
        /// Name of the blob.
        blob: String,
    },
    /// The upload took too long and was considered abandoned. Nothing was written.
    #[error("the upload exceeded its time limit and nothing was written; retry the write")]
    GivenUp,
    /// The reader of a value failed. Nothing was written.
    #[error("the reader of a blob value failed: {0}")]
    Reader(Arc<io::Error>),
}
