//! Files of a kept log.
//!
//! ```text
//! segment | magic | version | log id | first number | previous checksum | previous time | zeros | checksum |
//!           16      u32       16       u64            u32                 i64             4       u32
//!
//! record  | changes length | checksum | number | time | changes |
//!           u32              u32        u64      i64
//! ```
//!
//! The header and each record start at a multiple of 512 bytes, with zeros in between: a power failure during a write can
//! damage the complete sectors of the write, and no other record is in them. The checksum of a record covers the checksum of the previous record, also across segments: a missing, reordered or
//! changed record breaks the chain.

use std::io;

use super::folder::Folder;
use crate::engine::LogId;

const MAGIC: [u8; 16] = *b"TABLE-KEPT-LOG\r\n";
const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 64;
const SUM_AT: usize = HEADER_BYTES - 4;
/// Number of bytes before the changes of a record.
pub(super) const RECORD_BYTES: usize = 24;
const SUFFIX: &str = ".tables-kept";
/// Length of the sectors that a power failure can damage.
const SECTOR_BYTES: usize = 512;

/// Returns the offset of the record after the offset `end` of the end of the header or of a record.
pub(super) fn next(end: u64) -> u64 {
    end.next_multiple_of(SECTOR_BYTES as u64)
}

/// Position in a kept log: the last commit before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) log: LogId,
    /// Number of the commit; 0 before the first one.
    pub(crate) number: u64,
    /// Time of the commit, or of the start of the log, in ticks.
    pub(crate) time: i64,
    pub(crate) sum: u32,
}

/// Length of an encoded position.
pub(crate) const POSITION_BYTES: usize = 36;

impl Position {
    pub(crate) fn encode(&self) -> [u8; POSITION_BYTES] {
        let mut bytes = [0; POSITION_BYTES];
        let (number, time, sum) =
            (self.number.to_le_bytes(), self.time.to_le_bytes(), self.sum.to_le_bytes());
        for (place, byte) in bytes.iter_mut().zip(self.log.into_iter().chain(number).chain(time).chain(sum)) {
            *place = byte;
        }
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; POSITION_BYTES]) -> Option<Self> {
        let (log, rest) = bytes.split_first_chunk()?;
        let (number, rest) = rest.split_first_chunk()?;
        let (time, rest) = rest.split_first_chunk()?;
        let sum = rest.first_chunk()?;
        Some(Self {
            log: *log,
            number: u64::from_le_bytes(*number),
            time: i64::from_le_bytes(*time),
            sum: u32::from_le_bytes(*sum),
        })
    }
}

/// One commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'s> {
    /// Position after it.
    pub(super) position: Position,
    pub(super) changes: &'s [u8],
    /// Offset in the segment of the end of the record.
    pub(super) end: usize,
}

/// Encodes the header of the segment after a position.
pub(super) fn header(before: &Position) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    let first = before.number.saturating_add(1).to_le_bytes();
    let fields = MAGIC.into_iter().chain(VERSION.to_le_bytes()).chain(before.log).chain(first);
    let fields = fields.chain(before.sum.to_le_bytes()).chain(before.time.to_le_bytes());
    for (place, byte) in header.iter_mut().zip(fields) {
        *place = byte;
    }
    let sum = crc32c::crc32c(header.get(..SUM_AT).unwrap_or_default());
    for (place, byte) in header.iter_mut().skip(SUM_AT).zip(sum.to_le_bytes()) {
        *place = byte;
    }
    header
}

/// Encodes a record. Returns the position after it, or `None` if the changes are too large.
pub(super) fn record(before: &Position, time: i64, changes: &[u8], buffer: &mut Vec<u8>) -> Option<Position> {
    let number = before.number.checked_add(1)?;
    let len = u32::try_from(changes.len()).ok()?;
    let sum = sum(before.sum, number, time, changes);
    buffer.clear();
    buffer.extend_from_slice(&len.to_le_bytes());
    buffer.extend_from_slice(&sum.to_le_bytes());
    buffer.extend_from_slice(&number.to_le_bytes());
    buffer.extend_from_slice(&time.to_le_bytes());
    buffer.extend_from_slice(changes);
    Some(Position { number, time, sum, ..*before })
}

fn sum(previous: u32, number: u64, time: i64, changes: &[u8]) -> u32 {
    let sum = crc32c::crc32c_append(previous, &number.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c_append(sum, &time.to_le_bytes()), changes)
}

/// A segment in memory.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) name: String,
    bytes: Vec<u8>,
    /// Position before its first record.
    pub(super) before: Position,
}

impl Segment {
    /// Reads a segment. Returns `None` if its header is damaged.
    pub(super) fn read(folder: &dyn Folder, name: &str) -> io::Result<Option<Self>> {
        let bytes = folder.read(name)?;
        Ok(before(&bytes).map(|before| Self { name: name.to_owned(), bytes, before }))
    }

    /// Returns the records up to the first one that is incomplete or damaged.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        let (mut before, mut end) = (self.before, HEADER_BYTES);
        std::iter::from_fn(move || {
            let record = decode(&before, &self.bytes, end.next_multiple_of(SECTOR_BYTES))?;
            (before, end) = (record.position, record.end);
            Some(record)
        })
    }

    /// Returns the offset after the last sound record, and the position there.
    pub(super) fn end(&self) -> (usize, Position) {
        self.records().last().map_or((HEADER_BYTES, self.before), |last| (last.end, last.position))
    }

    /// Returns whether bytes that are no record follow the last one.
    pub(super) fn is_torn(&self) -> bool {
        self.end().0 != self.bytes.len()
    }
}

fn before(bytes: &[u8]) -> Option<Position> {
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
    let sum = crc32c::crc32c(header.get(..SUM_AT)?).to_le_bytes();
    let rest = header.strip_suffix(&sum)?.strip_prefix(&MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
    let (log, rest) = rest.split_first_chunk()?;
    let (first, rest) = rest.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let time = rest.first_chunk()?;
    Some(Position {
        log: *log,
        number: u64::from_le_bytes(*first).checked_sub(1)?,
        time: i64::from_le_bytes(*time),
        sum: u32::from_le_bytes(*sum),
    })
}

fn decode<'s>(before: &Position, bytes: &'s [u8], start: usize) -> Option<Record<'s>> {
    let rest = bytes.get(start..)?;
    let (len, rest) = rest.split_first_chunk()?;
    let (found, rest) = rest.split_first_chunk()?;
    let (number, rest) = rest.split_first_chunk()?;
    let (time, rest) = rest.split_first_chunk()?;
    let changes = rest.get(..usize::try_from(u32::from_le_bytes(*len)).ok()?)?;
    let (number, time) = (u64::from_le_bytes(*number), i64::from_le_bytes(*time));
    let sum = sum(before.sum, number, time, changes);
    let sound = number == before.number.checked_add(1)? && sum == u32::from_le_bytes(*found);
    let end = start + RECORD_BYTES + changes.len();
    sound.then_some(Record { position: Position { number, time, sum, ..*before }, changes, end })
}

/// Returns whether a segment has no complete header and therefore no record, as after an interrupted creation.
pub(super) fn is_unborn(folder: &dyn Folder, name: &str) -> bool {
    folder.len(name).is_ok_and(|len| len <= HEADER_BYTES as u64)
        && Segment::read(folder, name).is_ok_and(|segment| segment.is_none())
}

/// Returns the name of the segment that starts after a position.
pub(super) fn name(before: &Position) -> String {
    format!("{:020}{SUFFIX}", before.number.saturating_add(1))
}

/// Returns the segments of a folder with the numbers of their first commits, in this order.
pub(super) fn list(folder: &dyn Folder) -> io::Result<Vec<(u64, String)>> {
    let number = |name: &String| name.strip_suffix(SUFFIX).and_then(|number| number.parse().ok());
    let names = folder.names()?.into_iter();
    let mut found: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::folder::Directory, *};

    #[test]
    fn records_read_back_up_to_the_first_damage() {
        let before = Position { log: [3; 16], number: 7, time: 40, sum: 9 };
        let mut bytes = header(&before).to_vec();
        let (mut last, mut buffer) = (before, Vec::new());
        let mut ends = vec![bytes.len()];
        for (time, changes) in [(50, &b"abc"[..]), (50, b""), (60, b"defgh")] {
            last = record(&last, time, changes, &mut buffer).unwrap();
            bytes.resize(bytes.len().next_multiple_of(SECTOR_BYTES), 0);
            bytes.extend_from_slice(&buffer);
            ends.push(bytes.len());
        }
        assert_eq!(Position::decode(&last.encode()), Some(last));
        let folder = tempfile::tempdir().unwrap();
        let (name, path) = (name(&before), folder.path().join(name(&before)));
        let folder = Directory::new(folder.path());
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            Segment::read(&folder, &name).unwrap()
        };
        let segment = read(&bytes).unwrap();
        assert_eq!((segment.before, segment.end(), segment.is_torn()), (before, (bytes.len(), last), false));
        let found: Vec<_> =
            segment.records().map(|record| (record.position.number, record.changes)).collect();
        assert_eq!(found, [(8, &b"abc"[..]), (9, b""), (10, b"defgh")]);
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // A record after the next one is not read, and the zeros before a record are not.
            let starts = [0].into_iter().chain(ends.iter().map(|end| end.next_multiple_of(SECTOR_BYTES)));
            let hit = starts.zip(&ends).position(|(start, end)| (start..*end).contains(&(bit / 8)));
            let sound = hit.unwrap_or(ends.len());
            let found = read(&changed).map(|segment| segment.records().count() + 1).unwrap_or_default();
            assert_eq!(found, sound, "bit {bit}");
        }
        for cut in 0..bytes.len() {
            let whole = ends.iter().filter(|end| **end <= cut).count();
            let found = read(&bytes[..cut]).map(|segment| segment.records().count() + 1).unwrap_or_default();
            assert_eq!(found, whole, "cut at {cut}");
        }
        assert_eq!(list(&folder).unwrap(), [(8, name.clone())]);
    }
}
