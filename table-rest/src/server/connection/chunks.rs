//! Framing of chunked bodies in the common form: no extensions, no trailers.

/// Maximum number of digits in a chunk size.
const MOST_DIGITS: u8 = 8;

/// The position in a chunked body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunks {
    /// In the digits of a size.
    Size {
        /// The value of the digits read.
        size: u64,
        /// The number of digits read.
        digits: u8,
    },
    /// After the CR of a size.
    SizeEnd(u64),
    /// In a chunk, with the number of remaining bytes.
    Data(u64),
    /// After a chunk.
    DataEnd,
    /// After the CR that ends a chunk.
    DataEnded,
    /// After the empty last chunk.
    Last,
    /// After the last CR.
    Ending,
    /// After the body.
    Ended,
}

impl Chunks {
    /// The start of a body.
    pub(super) const START: Self = Self::Size { size: 0, digits: 0 };

    /// Advances over bytes up to the end of the body. Returns the number of bytes that belong to the body.
    ///
    /// # Errors
    ///
    /// Returns the number of bytes before the first invalid byte.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> Result<usize, usize> {
        let mut passed = 0;
        while let Some(rest) = bytes.get(passed..).filter(|rest| !rest.is_empty()) {
            if *self == Self::Ended {
                break;
            }
            if let Self::Data(left) = self {
                let here = rest.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                passed += here;
                *left -= here as u64;
                if *left == 0 {
                    *self = Self::DataEnd;
                }
                continue;
            }
            let Some(next) = rest.first().and_then(|byte| self.after(*byte)) else { return Err(passed) };
            *self = next;
            passed += 1;
        }
        Ok(passed)
    }

    fn after(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Size { size, digits: 1.. }, b'\r') => Some(Self::SizeEnd(size)),
            (Self::Size { size, digits: digits @ 0..MOST_DIGITS }, _) => {
                let digit = char::from(byte).to_digit(16)?;
                Some(Self::Size { size: size << 4 | u64::from(digit), digits: digits + 1 })
            }
            (Self::SizeEnd(0), b'\n') => Some(Self::Last),
            (Self::SizeEnd(size), b'\n') => Some(Self::Data(size)),
            (Self::DataEnd, b'\r') => Some(Self::DataEnded),
            (Self::DataEnded, b'\n') => Some(Self::START),
            (Self::Last, b'\r') => Some(Self::Ending),
            (Self::Ending, b'\n') => Some(Self::Ended),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"5\r\nhello\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n";

    #[test]
    fn a_body_ends_where_it_ends_however_it_comes() {
        for cut in 1..BODY.len() {
            let mut chunks = Chunks::START;
            for piece in BODY.chunks(cut) {
                assert_eq!(chunks.pass(piece), Ok(piece.len()), "pieces of {cut}");
            }
            assert_eq!(chunks, Chunks::Ended);
        }
        let followed = [BODY, b"GET /"].concat();
        assert_eq!(Chunks::START.clone().pass(&followed), Ok(BODY.len()));
    }

    #[test]
    fn what_stands_where_it_cannot_is_found() {
        for (body, at) in [
            ("\r\n", 0),
            ("+5\r\nhello\r\n", 0),
            ("0x5\r\nhello\r\n", 1),
            ("5 \r\nhello\r\n", 1),
            ("5;name=value\r\nhello\r\n", 1),
            ("5\nhello\r\n", 1),
            ("5\r\rhello\r\n", 2),
            ("5\r\nhello!\r\n", 8),
            ("5\r\nhello\n", 8),
            ("000000005\r\nhello\r\n", 8),
            ("fffffffff\r\n", 8),
            ("0\r\nName: value\r\n\r\n", 3),
            ("0\r\n\n", 3),
            ("-1\r\n", 0),
        ] {
            assert_eq!(Chunks::START.clone().pass(body.as_bytes()), Err(at), "{body:?}");
        }
    }
}
