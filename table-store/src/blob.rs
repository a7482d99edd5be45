//! Blobs: named content of any size, in containers, with the limits and error codes of Azure Blob storage.
//!
//! A **block blob** is written as a whole, or from blocks that are uploaded first and then assembled by a block list.
//! An **append blob** grows at its end. Page blobs, leases, snapshots and tiers are not supported; see [`BlobFeature`].
//!
//! ```
//! # #[cfg(feature = "embedded")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use table_store::{
//!     Metadata,
//!     blob::{BlobAddress, ListBlobs, PutBlob, ReadBlob},
//!     embedded::Store,
//! };
//!
//! let store = Store::in_memory()?.blocking();
//! let photo = BlobAddress::new("photos", "2014/07/jo.jpg")?;
//! store.create_container(&photo.container, Metadata::new())?;
//!
//! // Small contents in one call, large ones piece by piece: nobody sees a part of them.
//! store.put_blob(&photo, "small".into(), PutBlob::new())?;
//! let mut writer = store.write_blob(&photo, PutBlob::new().content_type("image/jpeg"))?;
//! for _ in 0..100 {
//!     writer.write(&[7; 10_000])?;
//! }
//! let written = writer.finish()?;
//!
//! // A reader gives what was current when it was made, whatever happens to the blob meanwhile.
//! let mut reader = store.read_blob(&photo, ReadBlob::new().range(999_000..))?;
//! store.delete_blob(&photo, &written.etag.into())?;
//! let mut read = 0;
//! while let Some(chunk) = reader.chunk()? {
//!     read += chunk.len();
//! }
//! assert_eq!(read, 1_000);
//! assert!(store.list_blobs(&photo.container, ListBlobs::new().prefix("2014/"))?.items.is_empty());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "embedded"))]
//! # fn main() {}
//! ```

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
