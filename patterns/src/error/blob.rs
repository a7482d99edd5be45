use std::{io, sync::Arc};

use crate::Address;

/// Why a value in a blob could not be read or written.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The entity names a blob that is not there. `verify` finds all of them.
    #[error("{owner} names the blob {blob}, which is not there: somebody deleted it past the library")]
    Missing {
        /// The entity.
        owner: Box<Address>,
        /// The blob's name.
        blob: String,
    },
    /// What a blob holds is not what was written to it.
    #[error("the blob {blob} of {owner} does not hold what was written: its length or hash is another")]
    Damaged {
        /// The entity.
        owner: Box<Address>,
        /// The blob's name.
        blob: String,
    },
    /// The entity was read, and the value has gone since: with the entity, or it was set to `None`.
    #[error("{owner} has no `{property}` any more: read it again")]
    Gone {
        /// The entity.
        owner: Box<Address>,
        /// The property.
        property: &'static str,
    },
    /// The value was replaced while it was read piece by piece. What was given so far is the old one's beginning.
    #[error("`{property}` of {owner} was replaced while it was read: begin again")]
    Replaced {
        /// The entity.
        owner: Box<Address>,
        /// The property.
        property: &'static str,
    },
    /// A property of an [`Entity`](crate::Entity) refers to a blob that belongs to an entity of another key. Nothing was written.
    #[error(
        "`{property}` of {owner} refers to the blob {blob} of another entity, which is deleted with that entity; write the value \
         as a `Blob` through the entity's type, which copies it"
    )]
    NotOwned {
        /// The entity that was to be written.
        owner: Box<Address>,
        /// The property.
        property: String,
        /// The blob's name.
        blob: String,
    },
    /// The upload took so long that it was taken for abandoned. Nothing was written.
    #[error("the upload took longer than it may, so that nothing was written: try again")]
    GivenUp,
    /// A reader that gives a value failed. Nothing was written.
    #[error("the reader of a value failed: {0}")]
    Reader(Arc<io::Error>),
}
