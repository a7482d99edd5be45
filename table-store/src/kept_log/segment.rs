//! Files of a kept log.
//!
//! ```text
//! segment | magic | version | log id | first number | previous checksum | previous time | zeros | checksum | records |
//!           16      u32       16       u64            u32                 i64             4       u32
//! ```
//!
//! The header and each record start at a multiple of 512 bytes, with zeros in between: a power failure during a write can
//! damage the complete sectors of the write, and no other record is in them.

use std::io;

use super::{
    folder::Folder,
    record::{HEAD_BYTES, Head, Site},
};
use crate::engine::{LogId, SECTOR_BYTES};

const MAGIC: [u8; 16] = *b"TABLE-KEPT-LOG\r\n";
const VERSION: u32 = 2;
pub(super) const HEADER_BYTES: usize = 64;
const SUM_AT: usize = HEADER_BYTES - 4;
const SUFFIX: &str = ".tables-kept";

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

/// A segment in memory.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Position before its first record.
    pub(super) before: Position,
}

impl Segment {
    /// Reads a segment. Returns `None` if its header is damaged, or belongs to another name.
    pub(super) fn read(folder: &dyn Folder, name: &str) -> io::Result<Option<Self>> {
        let bytes = folder.read(name)?;
        let before = before(&bytes, name);
        Ok(before.map(|before| Self { name: name.to_owned(), bytes, before }))
    }

    /// Reads the segment with the number `first` although its header is damaged, for the commits after a position in it or at
    /// its start. The other commits cannot be verified. Returns `None` if no record belongs to this segment of this log.
    pub(super) fn without_header(
        folder: &dyn Folder,
        name: &str,
        first: u64,
        position: &Position,
    ) -> io::Result<Option<Self>> {
        let (name, bytes, number) = (name.to_owned(), folder.read(name)?, first.saturating_sub(1));
        let before = if number == position.number {
            *position
        } else {
            Position { log: position.log, number, ..Position::default() }
        };
        let segment = Self { name, bytes, before };
        let is_proven = segment.offsets(HEADER_BYTES).any(|at| segment.head(at).is_some());
        Ok(is_proven.then_some(segment))
    }

    /// Returns the offsets of possible records after an offset.
    pub(super) fn offsets(&self, end: usize) -> impl Iterator<Item = usize> + use<> {
        (end.next_multiple_of(SECTOR_BYTES)..self.bytes.len()).step_by(SECTOR_BYTES)
    }

    /// Returns the place of a record at an offset.
    pub(super) fn site(&self, at: usize) -> Site {
        site(&self.before, at as u64)
    }

    /// Returns the head at an offset, if it is valid there.
    pub(super) fn head(&self, at: usize) -> Option<Head> {
        Head::decode(self.site(at), self.bytes.get(at..)?)
    }

    /// Returns the commits up to the first one that is incomplete or damaged.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.records_after(HEADER_BYTES, self.before)
    }

    /// Returns the commits after a position that ends at an offset, up to the first one that is incomplete or damaged.
    pub(super) fn records_after(
        &self,
        mut end: usize,
        mut before: Position,
    ) -> impl Iterator<Item = Record<'_>> {
        std::iter::from_fn(move || {
            let record = self.record(&before, end.next_multiple_of(SECTOR_BYTES))?;
            (before, end) = (record.position, record.end);
            Some(record)
        })
    }

    /// Returns the commit at an offset, if it is sound and follows a position.
    pub(super) fn record(&self, before: &Position, at: usize) -> Option<Record<'_>> {
        let head = self.head(at)?;
        let start = at.checked_add(HEAD_BYTES)?;
        let end = start.checked_add(usize::try_from(head.len).ok()?)?;
        let changes = self.bytes.get(start..end)?;
        Some(Record { position: head.follows(before, changes)?, changes, end })
    }

    /// Returns the offset after the last sound commit, and the position there.
    pub(super) fn end(&self) -> (usize, Position) {
        self.records().last().map_or((HEADER_BYTES, self.before), |last| (last.end, last.position))
    }
}

/// Returns the place of a record at an offset of the segment after a position.
pub(super) fn site(before: &Position, offset: u64) -> Site {
    Site { log: before.log, first: before.number.saturating_add(1), offset }
}

/// Returns the position before the first record, from the first bytes of a segment. Returns `None` if the header is
/// damaged, or belongs to another name.
pub(super) fn before(bytes: &[u8], name: &str) -> Option<Position> {
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
    let sum = crc32c::crc32c(header.get(..SUM_AT)?).to_le_bytes();
    let rest = header.strip_suffix(&sum)?.strip_prefix(&MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
    let (log, rest) = rest.split_first_chunk()?;
    let (first, rest) = rest.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let time = rest.first_chunk()?;
    let before = Position {
        log: *log,
        number: u64::from_le_bytes(*first).checked_sub(1)?,
        time: i64::from_le_bytes(*time),
        sum: u32::from_le_bytes(*sum),
    };
    (self::name(&before) == name).then_some(before)
}

/// Returns whether a segment has no complete header and therefore no record, as after an interrupted creation.
pub(super) fn is_unborn(folder: &dyn Folder, name: &str) -> bool {
    folder.len(name).is_ok_and(|len| len <= HEADER_BYTES as u64)
        && Segment::read(folder, name).is_ok_and(|segment| segment.is_none())
}

/// Returns the name of the segment that starts after a position.
pub(super) fn name(before: &Position) -> String {
    file_name(before.number.saturating_add(1))
}

/// Returns the name of the segment with this first commit.
pub(super) fn file_name(first: u64) -> String {
    format!("{first:020}{SUFFIX}")
}

/// Returns the segments of a folder with the numbers of their first commits, in this order.
pub(super) fn list(folder: &dyn Folder) -> io::Result<Vec<(u64, String)>> {
    // Other names, such as that of a copy, are no segments.
    let number = |name: &String| {
        let number = name.strip_suffix(SUFFIX).and_then(|number| number.parse::<u64>().ok())?;
        (file_name(number) == *name).then_some(number)
    };
    let names = folder.names()?.into_iter();
    let mut found: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    found.sort();
    Ok(found)
}
