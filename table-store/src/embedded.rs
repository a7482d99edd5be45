//! The embedded store: the service on one redb file, with one writer thread, group commit, and readers on snapshots.
//!
//! ```no_run
//! use table_store::embedded::Store;
//!
//! let store = Store::open("company.tables")?.blocking();
//! store.create_table(&"Employees".parse()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An acknowledged write is on stable storage, unless [`Durability::Relaxed`] is configured. Damaged data is reported
//! and never returned: every record has a checksum over its key and its content. `docs/format.md` documents the file
//! format.

mod apply;
mod backup;
mod blobs;
mod blocking;
mod catalog;
mod clock;
mod codec;
mod committer;
mod compaction;
mod core;
mod decision;
mod disk;
mod edits;
mod engine;
mod feed;
mod file;
#[cfg(test)]
mod format_page;
mod job;
mod keys;
mod leftovers;
mod meta;
mod opening;
mod options;
mod prepared;
mod queue;
mod random;
mod read;
mod record;
mod refusal;
mod request;
mod scrub;
mod seal;
mod segment;
mod settings;
mod stamps;
mod steady;
mod store;
mod token;

pub use backup::{Backup, BackupError};
pub use blocking::{BlockingBlobReader, BlockingBlobWriter, BlockingStore};
pub use clock::{Clock, SystemClock};
pub use compaction::Compaction;
pub use disk::{Disk, MemoryDisk};
#[doc(hidden)]
pub use engine::MapStorage;
pub use options::{Durability, OpenOptions};
pub use random::{Random, SystemRandom};
pub use refusal::{OpenError, Place};
pub use scrub::{Damage, DamagePlace, ScrubReport};
pub use store::{Store, StoreStats};
