//! CSV records: a record is one line, or several lines if a quoted string contains line breaks.

use std::io::{self, BufRead, Seek};

use csv_core::{ReadRecordResult, Reader};

use crate::{MOST_BYTES, Place, source::Source};

/// Maximum number of fields of a record: more than the columns of any table.
const MOST_FIELDS: usize = 1 << 16;

/// Reads one record at a time. Memory use is bounded for any input.
#[derive(Debug)]
pub(super) struct Records<R> {
    source: Source<R>,
    parser: Reader,
    /// The concatenated field strings of a record; `ends` contains the end of each field.
    text: Vec<u8>,
    ends: Vec<usize>,
    /// The number of bytes and fields of the current record, or the reason why it is invalid.
    at_hand: Result<(usize, usize), String>,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(input: R) -> io::Result<Self> {
        Ok(Self {
            source: Source::new(input)?,
            parser: parser(),
            text: vec![0; 16 << 10],
            ends: vec![0; 64],
            at_hand: Ok((0, 0)),
        })
    }

    pub(super) const fn place(&self) -> Place {
        self.source.place()
    }

    /// Advances to the next record, skipping empty lines and comments. Returns its first line number, or `None` at the
    /// end of the input.
    pub(super) fn advance(&mut self) -> io::Result<Option<u64>> {
        loop {
            match self.source.fill()?.first() {
                None => return Ok(None),
                Some(b'\n' | b'\r') => self.source.consume(1),
                Some(b'#') => self.source.skip_line()?,
                Some(_) => break,
            }
        }
        let line = self.place().line;
        self.at_hand = self.record(line)?;
        Ok(Some(line))
    }

    fn record(&mut self, line: u64) -> io::Result<Result<(usize, usize), String>> {
        let (mut bytes, mut fields) = (0, 0);
        let mut refused = None;
        loop {
            let filled = self.source.fill()?;
            // The final line break may be missing, so one is supplied at the end of the input. Inside quotes it does
            // not end the record.
            let is_last = filled.is_empty();
            let input = if is_last { b"\n" } else { filled };
            let text = self.text.get_mut(bytes..).unwrap_or_default();
            let ends = self.ends.get_mut(fields..).unwrap_or_default();
            let (result, taken, written, ended) = self.parser.read_record(input, text, ends);
            if !is_last {
                self.source.consume(taken);
            }
            bytes += written;
            fields += ended;
            match result {
                ReadRecordResult::InputEmpty if is_last => {
                    self.parser = parser();
                    let last = self.place().line;
                    return Ok(Err(format!("a quote in it is not closed; it goes to the end, line {last}")));
                }
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.text.len() < MOST_BYTES => {
                    self.text.resize(2 * self.text.len(), 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < MOST_FIELDS => {
                    self.ends.resize(2 * self.ends.len(), 0);
                }
                // The record is invalid: discard its content and continue to its end.
                ReadRecordResult::OutputFull => {
                    bytes = 0;
                    refused.get_or_insert_with(|| format!("it is longer than {MOST_BYTES} bytes"));
                }
                ReadRecordResult::OutputEndsFull => {
                    fields = 0;
                    refused.get_or_insert_with(|| format!("it has more than {MOST_FIELDS} fields"));
                }
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        let lines = self.place().line.saturating_sub(line);
        Ok(match refused {
            None => Ok((bytes, fields)),
            Some(reason) if lines > 1 => Err(format!("{reason}; it goes over {lines} lines")),
            Some(reason) => Err(reason),
        })
    }

    /// Returns the fields of the current record.
    pub(super) fn fields(&self) -> Result<Fields<'_>, String> {
        let (bytes, fields) = self.at_hand.clone()?;
        let text = self.text.get(..bytes).unwrap_or_default();
        let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
        Ok(Fields { text, ends: self.ends.get(..fields).unwrap_or_default() })
    }
}

impl<R: BufRead + Seek> Records<R> {
    pub(super) fn seek(&mut self, place: Place) -> io::Result<()> {
        self.parser = parser();
        self.source.seek(place)
    }
}

/// Creates a parser in the state between two records. A new parser would skip a byte order mark, which is content
/// everywhere except at the start of a file.
fn parser() -> Reader {
    let mut parser = Reader::new();
    parser.read_record(b"\n", &mut [0], &mut [0]);
    parser
}

/// The fields of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'r> {
    text: &'r str,
    ends: &'r [usize],
}

impl<'r> Fields<'r> {
    pub(super) const fn len(self) -> usize {
        self.ends.len()
    }

    /// Returns the fields in order. A field whose boundary splits a character is `None`.
    pub(super) fn iter(self) -> impl Iterator<Item = Option<&'r str>> {
        (0..self.len()).map(move |at| self.get(at))
    }

    pub(super) fn get(self, at: usize) -> Option<&'r str> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(at)?)
    }
}
