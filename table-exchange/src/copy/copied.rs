use table_model::Timestamp;

use super::{Difference, DifferenceKind};

/// Result of a copy, and its progress.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Copied {
    /// Number of rows, blobs or messages found at the source.
    pub read: u64,
    /// Number of those that the target did not contain.
    pub missing: u64,
    /// Number of those that had other content at the target.
    pub different: u64,
    /// Number of rows or blobs of the target that the source does not contain.
    pub extra: u64,
    /// Number of these differences that were removed.
    pub resolved: u64,
    /// The first differences that remain, at most [`Copied::MOST_LISTED`].
    pub listed: Vec<Difference>,
    /// The latest timestamp of the rows or blobs of the source.
    pub newest: Option<Timestamp>,
}

impl Copied {
    /// Maximum number of listed differences.
    pub const MOST_LISTED: usize = 20;

    /// Creates the result for something that the target does not support.
    #[must_use]
    pub fn missing(difference: Difference) -> Self {
        Self { missing: 1, listed: vec![difference], ..Self::default() }
    }

    /// Counts differences.
    pub(super) fn count(&mut self, kind: DifferenceKind, count: u64) {
        *match kind {
            DifferenceKind::Missing => &mut self.missing,
            DifferenceKind::Different => &mut self.different,
            DifferenceKind::Extra => &mut self.extra,
        } += count;
    }

    /// Lists a difference that remains, if there is room.
    pub(super) fn list(&mut self, remaining: Difference) {
        if self.listed.len() < Self::MOST_LISTED {
            self.listed.push(remaining);
        }
    }

    /// Returns the number of differences found.
    #[must_use]
    pub const fn found(&self) -> u64 {
        self.missing + self.different + self.extra
    }

    /// Returns the number of differences that remain: all in a comparison; otherwise extra ones that were not to be
    /// deleted, and those that the target rejected.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.found().saturating_sub(self.resolved)
    }
}
