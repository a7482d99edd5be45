use std::sync::Arc;

/// One change of a disk.
#[derive(Clone, Debug)]
pub enum Step {
    /// Bytes at an offset.
    Write(u64, Arc<[u8]>),
    /// Another length.
    SetLen(usize),
    /// All before it is on stable storage.
    Sync,
    /// A sync that reported an error. Any part of what was before it is on stable storage, and the data that is not will
    /// never be: the system takes the pages for written (as ext4, XFS and Btrfs do), though reads still see them. The
    /// length of the file is brought there by the next sync.
    FailedSync,
}
