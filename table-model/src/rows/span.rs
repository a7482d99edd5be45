use std::ops::Range;

use super::TooLarge;

/// Range of a buffer of at most 4 GiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Result<Self, TooLarge> {
        let place = |place: usize| u32::try_from(place).map_err(|_| TooLarge);
        Ok(Self { start: place(start)?, end: place(end)? })
    }

    pub(super) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the range shifted by `by` bytes, for a buffer that is appended to another buffer of that length.
    pub(super) fn moved(self, by: usize) -> Result<Self, TooLarge> {
        let Range { start, end } = self.range();
        Self::new(start.saturating_add(by), end.saturating_add(by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_four_gibibytes_is_too_large() {
        assert_eq!(Span::new(1, 5).unwrap().range(), 1..5);
        assert_eq!(Span::new(1, 5).unwrap().moved(10).unwrap().range(), 11..15);
        assert_eq!(Span::new(0, 1 << 32).unwrap_err(), TooLarge);
        assert_eq!(Span::new(1, 2).unwrap().moved((1 << 32) - 2).unwrap_err(), TooLarge);
    }
}
