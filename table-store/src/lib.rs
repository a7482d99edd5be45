//! An embedded table store compatible with Azure Table storage: the service of [`table_model`] on one file, with one
//! writer thread, group commit, and readers on snapshots.
//!
//! ```no_run
//! use table_store::Store;
//!
//! let store = Store::open("company.tables")?.blocking();
//! store.create_table(&"Employees".parse()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An acknowledged write is on stable storage, unless [`Durability::Relaxed`] is configured. Damaged data is reported
//! and never returned: every record has a checksum over its key and its content. `docs/format.md` documents the file
//! format. The store rejects the requests that Azure rejects, with the same error code and HTTP status.
//!
//! All items of [`table_model`] are re-exported. A crate that needs no store depends on `table-model` instead.
//!
//! # Queues
//!
//! ```
//! # pollster::block_on(async {
//! use std::time::Duration;
//! use table_store::{Metadata, QueueService, Store, queue::{GetMessages, PutMessage}};
//!
//! let store = Store::in_memory()?;
//! let queue = "photos-to-shrink".parse()?;
//! store.create_queue(&queue, Metadata::new()).await?;
//! store.put_message(&queue, PutMessage::new("photo 223")).await?;
//!
//! // A worker has ten seconds for it; then another one may get it.
//! let get = GetMessages::new().visibility(Duration::from_secs(10));
//! for message in store.get_messages(&queue, get).await? {
//!     assert_eq!((message.text.as_str(), message.dequeue_count), ("photo 223", 1));
//!     store.delete_message(&queue, message.id, &message.pop_receipt).await?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # Blobs
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use table_store::{
//!     Metadata, Store,
//!     blob::{BlobAddress, ListBlobs, PutBlob, ReadBlob},
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
//! ```
//!
//! # Other engines and disks
//!
//! The store reaches its data through two traits: [`Disk`] is the file, and [`Engine`](engine::Engine) is the ordered
//! key-value map, which is redb on a disk. [`OpenOptions::open_disk`] and [`OpenOptions::open_engine`] accept other
//! implementations.

mod accesses;
mod account;
mod apply;
mod background_scrub;
mod backup;
mod blobs;
mod blocking;
mod catalog;
mod checksum;
mod clock;
mod committer;
mod compaction;
mod core;
mod decision;
mod disk;
pub mod engine;
mod file;
#[cfg(test)]
mod format_page;
mod free_name;
mod job;
mod kept_log;
mod keys;
mod leftovers;
mod meta;
mod monotonic_clock;
mod observer;
mod opening;
mod options;
mod outbox_index;
mod prepared;
mod queues;
mod random;
mod read;
mod record;
mod refusal;
mod request;
mod reserved_names;
mod salvage;
mod scrub;
mod segment;
mod spans;
mod store;
mod swept_ranges;
mod timestamps;
mod write_batch;
mod xxh64;

pub use background_scrub::{BackgroundScrub, ScrubPass, ScrubProgress};
pub use backup::{AcceptedLoss, Backup, BackupError, LostCommits};
pub use blocking::{BlockingBlobReader, BlockingBlobWriter, BlockingStore};
pub use clock::{Clock, SystemClock};
pub use compaction::Compaction;
pub use disk::{Disk, MemoryDisk};
#[doc(hidden)]
pub use engine::MapStorage;
pub use kept_log::{
    KeepLog, KeptCommit, KeptLogProblem, KeptSegment, LogEnd, RestoreError, RestoreTo, Restored,
    SegmentDamage,
};
pub use observer::{GroupCommit, StoreObserver};
#[doc(hidden)]
pub use options::LogMode;
pub use options::{Durability, OpenOptions};
pub use random::{Random, SystemRandom};
pub use refusal::{OpenError, Place};
pub use salvage::{KeyPosition, LostRange, Salvage};
pub use scrub::{Damage, DamagePlace, ScrubReport};
pub use store::{Store, StoreStats};

#[doc(no_inline)]
pub use table_model::*;
