//! Access to the bytes of a store as a trait, implemented by files, memory, and disks with injected faults in tests.

mod file;
mod full;
mod log;
mod memory;
mod observed;
mod watched;

pub(crate) use file::FileDisk;
pub(crate) use full::{full_at, full_path};
pub(crate) use log::FileLog;
pub use memory::MemoryDisk;
pub(crate) use observed::ObservedDisk;
#[cfg(unix)]
pub(crate) use watched::is_same;

use std::{fmt::Debug, io, sync::Arc};

/// Storage of the bytes of a store. The store reads and writes only through this trait, so a wrapper can count, delay,
/// reject or drop any operation.
///
/// The store requires the guarantees of a local file: a read returns the latest write, [`sync`](Disk::sync) returns
/// after all earlier writes are on stable storage, and writing a block of 4,096 bytes does not damage other blocks.
#[expect(clippy::len_without_is_empty, reason = "an empty disk is a disk of length 0")]
pub trait Disk: Debug + Send + Sync + 'static {
    /// Returns the length in bytes.
    ///
    /// # Errors
    /// The error of the device.
    fn len(&self) -> io::Result<u64>;

    /// Returns the number of bytes that the content occupies on the device: fewer than [`len`](Disk::len) if parts that
    /// were never written occupy none. The store keeps its log small in comparison. The default is the length.
    ///
    /// # Errors
    /// The error of the device.
    fn allocated(&self) -> io::Result<u64> {
        self.len()
    }

    /// Fills `into` with the bytes from `offset`.
    ///
    /// # Errors
    /// The error of the device, or an error if the disk ends before `into` is full.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// Writes `bytes` at `offset`. The store never writes beyond [`len`](Disk::len).
    ///
    /// # Errors
    /// The error of the device.
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Extends the disk with zeros, or truncates it.
    ///
    /// # Errors
    /// The error of the device.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Waits until all earlier writes are on stable storage.
    ///
    /// # Errors
    /// The error of the device.
    fn sync(&self) -> io::Result<()>;

    /// Returns the disk of the store's log, on which writes are durable after one sync. It has the same durability
    /// guarantees as this disk, and all calls return the same log. A log that does not exist has the length 0: the
    /// first [`set_len`](Disk::set_len) creates it, `set_len(0)` deletes it, and the next [`sync`](Disk::sync) also makes
    /// this durable. A store on a disk without a log, the default, writes each commit to this disk.
    fn log(&self) -> Option<Arc<dyn Disk>> {
        None
    }

    /// Releases resources, including the lock, when the store is closed. Called once, as the last call.
    ///
    /// # Errors
    /// The error of the device.
    fn close(&self) -> io::Result<()> {
        Ok(())
    }
}
