use std::{io, sync::Arc};

use crate::Address;

/// Error of reading or writing a value in a blob.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The entity references a blob that does not exist. `verify` finds all such references.
    #[error("{owner} names the blob {blob}, which is not there: somebody deleted it past the library")]
    Missing {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the blob.
        blob: String,
    },
    /// The content of a blob differs from the value that was written.
    #[error("the blob {blob} of {owner} does not hold what was written: its length or hash is another")]
    Damaged {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the blob.
        blob: String,
    },
    /// The value was deleted after the entity was read: the entity was deleted, or the value was set to `None`.
    #[error("{owner} has no `{property}` any more: read it again")]
    Gone {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the property.
        property: &'static str,
    },
    /// The value was replaced while it was read in pieces. The bytes returned so far are the start of the old value.
    #[error("`{property}` of {owner} was replaced while it was read: begin again")]
    Replaced {
        /// Address of the entity.
        owner: Box<Address>,
        /// Name of the property.
        property: &'static str,
    },
    /// A property of an [`Entity`](crate::Entity) references a blob that belongs to an entity with another key. Nothing
    /// was written.
    #[error(
        "`{property}` of {owner} refers to the blob {blob} of another entity, which is deleted with that entity; write the value \
         as a `Blob` through the entity's type, which copies it"
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
    #[error("the upload took longer than it may, so that nothing was written: try again")]
    GivenUp,
    /// The reader of a value failed. Nothing was written.
    #[error("the reader of a value failed: {0}")]
    Reader(Arc<io::Error>),
}
