//! Blobs: named content of any size, in containers, with the limits and error codes of Azure Blob storage.
//!
//! A **block blob** is written as a whole, or from blocks that are uploaded first and then assembled by a block list.
//! An **append blob** grows at its end. A [snapshot](BlobSnapshot) keeps the state of a blob, and a
//! [copy](BlobService::copy_blob) has the content of another one; both share the stored bytes. Page blobs and tiers are
//! not supported; see [`BlobFeature`].
//!
//! ```
//! use table_model::{
//!     BlobService, Result,
//!     blob::{BlobAddress, ReadBlob},
//! };
//!
//! /// Returns the length of a part of a blob. The reader returns one version, even if the blob changes meanwhile.
//! async fn length(service: &dyn BlobService, photo: &BlobAddress) -> Result<usize> {
//!     let mut reader = service.read_blob(photo, ReadBlob::new().range(999_000..)).await?;
//!     let mut read = 0;
//!     while let Some(chunk) = reader.chunk().await? {
//!         read += chunk.len();
//!     }
//!     Ok(read)
//! }
//! ```

mod address;
mod block;
#[doc(hidden)]
pub mod codec;
mod conditions;
mod container_name;
mod copy;
mod etag;
mod feature;
mod find;
mod headers;
mod lease;
pub mod limits;
mod listing;
mod name;
mod properties;
mod range;
mod request;
mod service;
mod snapshot;
mod state;
mod stream;
mod tags;
pub mod upload;

pub use address::BlobAddress;
pub use block::{Block, BlockId, BlockList, BlockSource};
pub use conditions::{BlobAccess, BlobConditions, BlobMatch};
pub use container_name::ContainerName;
pub use copy::{BlobCopied, BlobCopy, CopyBlob, CopyTags};
pub use etag::BlobETag;
pub use feature::BlobFeature;
pub use find::{FindBlobs, FoundBlob, FoundBlobsSegment, TagSearch};
pub use headers::{BlobHeaders, Md5};
pub use lease::{Lease, LeaseAction, LeaseDuration, LeaseKind, LeaseState, LeaseTerm, LeaseUse, Leased};
pub use listing::{
    BlobItem, BlobsSegment, ContainersSegment, ListBlobs, ListContainers, ListingStep, ListingWalk,
};
pub use name::BlobName;
pub use properties::{Appended, BlobProperties, BlobType, BlobVersion, BlobWritten, ContainerProperties};
pub use range::BlobRange;
pub use request::{AppendBlock, PutBlob, PutBlock, ReadBlob};
pub use service::BlobService;
pub use snapshot::{BlobSnapshot, DeleteSnapshots, SnapshotBlob, Snapshotted};
pub use state::{BlobChange, BlobState, ContainerState};
pub use stream::{BlobReader, BlobSink, BlobSource, BlobWriter};
pub use tags::{BlobTags, TagCondition, TagFilter};
