use std::{ops::Range, sync::Arc};

use super::SECTOR;

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

impl Step {
    /// The sectors that it writes, by number.
    pub(crate) fn sectors(&self) -> Range<usize> {
        let Self::Write(offset, bytes) = self else { return 0..0 };
        let begin = usize::try_from(*offset).unwrap_or(usize::MAX);
        begin / SECTOR..begin.saturating_add(bytes.len()).div_ceil(SECTOR)
    }
}
