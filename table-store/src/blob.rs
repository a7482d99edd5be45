//! Blobs: named contents of any size, in containers, with the limits and error codes of Azure Blob storage.
//!
//! A **block blob** is written whole, or from blocks that are uploaded first and then put together by a list. An
//! **append blob** grows at its end. Page blobs, leases, snapshots and tiers are not part of the store: see
//! [`BlobFeature`].

mod address;
mod block;
mod conditions;
mod container_name;
mod etag;
mod feature;
mod headers;
pub mod limits;
mod listing;
mod name;
mod properties;
mod range;
mod request;
mod service;
mod stream;

pub use address::BlobAddress;
pub use block::{Block, BlockId, BlockList, BlockSource};
pub use conditions::{BlobAccess, BlobConditions, BlobMatch};
pub use container_name::ContainerName;
pub use etag::BlobETag;
pub use feature::BlobFeature;
pub use headers::{BlobHeaders, Md5};
pub use listing::{BlobItem, BlobsSegment, ContainersSegment, ListBlobs, ListContainers};
pub use name::BlobName;
pub use properties::{Appended, BlobProperties, BlobType, BlobVersion, BlobWritten, ContainerProperties};
pub use range::BlobRange;
pub use request::{AppendBlock, PutBlob, ReadBlob};
pub use service::BlobService;
pub use stream::{BlobReader, BlobSink, BlobSource, BlobWriter};
