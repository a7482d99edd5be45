//! A buffered input that tracks its position.

use std::io::{self, BufRead, Seek, SeekFrom};

use memchr::{memchr, memchr_iter};

use crate::Place;

/// The UTF-8 byte order mark, which some programs write at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
pub(crate) struct Source<R> {
    input: R,
    place: Place,
}

impl<R: BufRead> Source<R> {
    /// Creates a source at the start of a file and skips the byte order mark.
    pub(crate) fn new(input: R) -> io::Result<Self> {
        let mut source = Self { input, place: Place::START };
        // A buffer may contain fewer bytes than are available. Except for interactive input, the first read returns at
        // least three bytes or the complete file.
        if source.fill()?.starts_with(MARK) {
            source.consume(MARK.len());
        }
        Ok(source)
    }

    /// Returns the position of the first byte that was not consumed.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Returns the next bytes, or an empty slice at the end of the input.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.input.fill_buf() {
                Ok(_) => return self.input.fill_buf(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Consumes bytes that `fill` returned.
    pub(crate) fn consume(&mut self, bytes: usize) {
        // The buffer is filled, so this does not read.
        let taken = self.input.fill_buf().ok().and_then(|filled| filled.get(..bytes)).unwrap_or_default();
        self.place.line += count(memchr_iter(b'\n', taken).count());
        self.place.offset += count(bytes);
        self.input.consume(bytes);
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let filled = self.fill()?;
            match memchr(b'\n', filled) {
                Some(at) => {
                    self.consume(at + 1);
                    return Ok(());
                }
                None if filled.is_empty() => return Ok(()),
                None => {
                    let bytes = filled.len();
                    self.consume(bytes);
                }
            }
        }
    }
}

impl<R: BufRead + Seek> Source<R> {
    /// Moves to a position.
    pub(crate) fn seek(&mut self, place: Place) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(place.offset))?;
        self.place = place;
        Ok(())
    }
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
