//! The order of the segments of a log, without their commits.

use std::io;

use super::{
    error::KeptLogProblem,
    folder::Folder,
    record::{HEAD_BYTES, Head, Kind},
    segment::{self, HEADER_BYTES, Position, Segment},
};
use crate::{Disk, engine::SECTOR_BYTES};

/// Checks that each segment starts where the one before it ends. Reads the header and the mark at the end of each of the
/// `earlier` segments. One that a failure has left without a mark is read completely.
pub(super) fn check(
    folder: &dyn Folder,
    earlier: &[(u64, String)],
    last: &Segment,
) -> Result<(), KeptLogProblem> {
    let mut end = None;
    for (_, name) in earlier {
        let disk = folder.open_to_read(name)?;
        let damaged = || KeptLogProblem::DamagedSegment { name: name.clone() };
        let len = disk.len()?;
        let mut header = [0; HEADER_BYTES];
        if len < HEADER_BYTES as u64 {
            return Err(damaged());
        }
        disk.read(0, &mut header)?;
        let before = segment::before(&header, name).ok_or_else(damaged)?;
        check_next(end, &before, name)?;
        end = Some(match marked_end(&*disk, len, &before)? {
            Some(marked) => marked,
            None => Segment::read(folder, name)?.ok_or_else(damaged)?.end().1,
        });
    }
    check_next(end, &last.before, &last.name)
}

/// Checks that a segment starts at the end of the one before it, if there is one.
fn check_next(end: Option<Position>, before: &Position, name: &str) -> Result<(), KeptLogProblem> {
    match end {
        Some(end) if end.log == before.log && end.number < before.number => {
            Err(KeptLogProblem::Gap { first: end.number.saturating_add(1), last: before.number })
        }
        Some(end) if Position { time: before.time, ..end } != *before => {
            Err(KeptLogProblem::OtherSegment { name: name.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Returns the last commit of a segment, if the file ends with a mark: nothing follows the mark of the last commit.
pub(super) fn marked_end(disk: &dyn Disk, len: u64, before: &Position) -> io::Result<Option<Position>> {
    let at = len.checked_sub(HEAD_BYTES as u64).filter(|at| at.is_multiple_of(SECTOR_BYTES as u64));
    let Some(at) = at.filter(|at| *at > 0) else { return Ok(None) };
    let mut head = [0; HEAD_BYTES];
    disk.read(at, &mut head)?;
    let mark = Head::decode(segment::site(before, at), &head).filter(|head| head.kind != Kind::Commit);
    Ok(mark.map(|mark| Position { log: before.log, number: mark.number, time: mark.time, sum: mark.sum }))
}
