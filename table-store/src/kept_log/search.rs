//! Search for the commits of a segment after a position, if commits before it are damaged.
//!
//! The head of a record is valid at its place in its segment of its log only, and the position contains the checksum of
//! all commits up to it. So a head with its number and checksum, or a commit that follows it, is found with certainty.

use super::{
    record::{HEAD_BYTES, Kind},
    segment::{HEADER_BYTES, Position, Segment},
};

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The commit of the position ends at this offset, or before it and no other record is in between.
    End(usize),
    /// The segment contains another commit with this number.
    Other,
    Nothing,
}

impl Segment {
    /// Searches for the end of the commit of a position: the head of this commit, the mark after it, or the next commit.
    pub(super) fn search(&self, position: &Position) -> Found {
        let found = self.offsets(HEADER_BYTES).find_map(|at| {
            let head = self.head(at)?;
            match head.kind {
                _ if head.number != position.number => self.record(position, at).map(|_| Found::End(at)),
                _ if head.sum != position.sum => Some(Found::Other),
                Kind::End | Kind::Continued => Some(Found::End(at)),
                Kind::Commit => {
                    let end = at.checked_add(HEAD_BYTES)?.checked_add(usize::try_from(head.len).ok()?)?;
                    (end <= self.bytes.len()).then_some(Found::End(end))
                }
            }
        });
        found.unwrap_or(Found::Nothing)
    }
}
