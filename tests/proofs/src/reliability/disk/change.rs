use std::{ops::Range, sync::Arc};

use super::SECTOR;

/// One change of a file.
#[derive(Clone, Debug)]
pub enum Change {
    /// A write of bytes at an offset.
    Write(u64, Arc<[u8]>),
    /// A change of the length.
    SetLen(usize),
    /// All earlier steps are on stable storage.
    Sync,
    /// A sync that reported an error. Any part of the earlier steps is on stable storage. The remaining data will never
    /// be written: the system considers the pages clean (as ext4, XFS and Btrfs do), although reads still return them.
    /// The next sync stores the length of the file.
    FailedSync,
}

impl Change {
    /// Returns the numbers of the sectors that it writes.
    pub(crate) fn sectors(&self) -> Range<usize> {
        let Self::Write(offset, bytes) = self else { return 0..0 };
        let begin = usize::try_from(*offset).unwrap_or(usize::MAX);
        begin / SECTOR..begin.saturating_add(bytes.len()).div_ceil(SECTOR)
    }
}
