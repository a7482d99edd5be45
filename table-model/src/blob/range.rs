use std::ops::Range;

use crate::{ErrorCode, Result};

/// Byte range of the content of a blob.
///
/// ```
/// use table_model::blob::BlobRange;
///
/// // `bytes=2-11` on the wire, where both ends are included.
/// let range = BlobRange { start: 2, end: Some(12) };
/// assert_eq!(BlobRange::ALL, BlobRange { start: 0, end: None });
/// # let _ = range;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlobRange {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte. `None` extends to the end. Offsets beyond the content are truncated.
    pub end: Option<u64>,
}

impl BlobRange {
    /// The whole content.
    pub const ALL: Self = Self { start: 0, end: None };

    /// Returns the part of the range within content of this length. For empty content only the whole range is valid.
    ///
    /// # Errors
    /// `InvalidRange` if the content has no byte in the range.
    pub fn within(self, length: u64) -> Result<Range<u64>> {
        if self == Self::ALL {
            return Ok(0..length);
        }
        let end = self.end.map_or(length, |end| end.min(length));
        if self.start < end { Ok(self.start..end) } else { Err(ErrorCode::InvalidRange.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_must_meet_the_contents() {
        let within = |start, end, length| BlobRange { start, end }.within(length).ok();
        assert_eq!(within(0, None, 0), Some(0..0));
        assert_eq!(within(0, None, 5), Some(0..5));
        assert_eq!(within(2, Some(4), 5), Some(2..4));
        assert_eq!(within(2, Some(99), 5), Some(2..5));
        for (start, end, length) in
            [(5, None, 5), (0, Some(1), 0), (3, Some(3), 5), (4, Some(2), 5), (9, Some(12), 5)]
        {
            assert_eq!(within(start, end, length), None, "{start}..{end:?} of {length}");
        }
    }
}
