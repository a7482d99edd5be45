//! Access to the bytes of a store, as a trait: a file, memory, or a test's disk that fails on purpose.

mod file;
mod memory;

pub(crate) use file::FileDisk;
pub use memory::MemoryDisk;

use std::{fmt::Debug, io};

/// Where a store keeps its bytes. Everything that the store reads or writes goes through this trait, so a wrapper can
/// count, delay, refuse or lose what it likes.
///
/// The store needs of it what a local file gives: a read sees the latest write, [`sync`](Disk::sync) returns after all
/// earlier writes are on stable storage, and writing one block of 4,096 bytes damages no other.
#[expect(clippy::len_without_is_empty, reason = "an empty disk is one of length 0 like any other")]
pub trait Disk: Debug + Send + Sync + 'static {
    /// Bytes that there are.
    fn len(&self) -> io::Result<u64>;

    /// Fills `into` from `offset` on. An error if the disk ends before.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// Writes `bytes` at `offset`. The store never writes past [`len`](Disk::len).
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes the disk longer, with zeros, or shorter.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Returns when all that was written is on stable storage.
    fn sync(&self) -> io::Result<()>;

    /// The store is closed: releases what is held, the lock among it. Called once, last.
    fn close(&self) -> io::Result<()> {
        Ok(())
    }
}
