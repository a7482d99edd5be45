//! Bytes as they come, counted.

use std::io::{self, BufRead, Seek, SeekFrom};

use memchr::{memchr, memchr_iter};

use crate::Place;

/// The byte order mark that some programs put first.
const MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
pub(crate) struct Source<R> {
    input: R,
    place: Place,
}

impl<R: BufRead> Source<R> {
    /// At the start of a file, behind its byte order mark.
    pub(crate) fn new(input: R) -> io::Result<Self> {
        let mut source = Self { input, place: Place::START };
        // A buffer may hold fewer bytes than are there, but its first read gives three or the whole of a shorter file,
        // unless somebody types.
        if source.fill()?.starts_with(MARK) {
            source.consume(MARK.len());
        }
        Ok(source)
    }

    /// Where what was not consumed begins.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// What comes next; nothing at the end.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.input.fill_buf() {
                Ok(_) => return self.input.fill_buf(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Passes over bytes that were filled.
    pub(crate) fn consume(&mut self, bytes: usize) {
        // Filled, so this reads nothing.
        let taken = self.input.fill_buf().ok().and_then(|filled| filled.get(..bytes)).unwrap_or_default();
        self.place.line += count(memchr_iter(b'\n', taken).count());
        self.place.offset += count(bytes);
        self.input.consume(bytes);
    }

    /// Passes over the rest of a line.
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
    /// Goes to a place.
    pub(crate) fn seek(&mut self, place: Place) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(place.offset))?;
        self.place = place;
        Ok(())
    }
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
