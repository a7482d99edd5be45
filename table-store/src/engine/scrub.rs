use std::fmt::Debug;

/// A verification of all pages in use of an open store, in steps.
pub trait PageScrub: Debug + Send {
    /// Verifies the next pages. After the last page, the next step starts again.
    fn step(&mut self) -> ScrubStep;
}

/// Result of a step of a [`PageScrub`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScrubStep {
    /// Number of pages of 4 KiB whose verification is complete.
    pub pages: u64,
    /// Number of bytes that were read.
    pub bytes: u64,
    /// Number of damaged pages that were found since the store was opened, by reads too.
    pub damaged: usize,
    /// Number of pages that the disk could not read.
    pub unreadable: u64,
    /// These were the last pages.
    pub ended: bool,
}
