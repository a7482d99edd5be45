//! The range of a kept log, without its commits.

use std::{
    io,
    path::{Path, PathBuf},
};

use table_model::Timestamp;

use super::{
    chain,
    error::RestoreError,
    folder::{Directory, Folder},
    record::{HEAD_BYTES, Head, Kind},
    segment::{self, HEADER_BYTES, Segment},
    segment_damage::SegmentDamage,
    tail::Tail,
};

/// A file of a kept log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptSegment {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// First commit; `None` if there is none, or it cannot be read.
    pub first: Option<KeptCommit>,
    /// Last commit; `None` if there is none, or it cannot be read.
    pub last: Option<KeptCommit>,
    /// Damage of the header, the first commit or the end. A [restore](crate::OpenOptions::restore) verifies all commits.
    pub damage: Option<SegmentDamage>,
}

/// A commit in a kept log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptCommit {
    /// Number of the commit. The first commit of a log has number 1.
    pub number: u64,
    /// Time of the commit; of the last commit of a segment, the time up to which no later commit existed.
    pub time: Timestamp,
}

/// Lists the segments in a folder in the order of their commits.
pub(super) fn list(path: &Path) -> Result<Vec<KeptSegment>, RestoreError> {
    let folder = Directory::new(path);
    let failed = |error| RestoreError::Log { folder: path.to_owned(), error };
    let mut listed = segment::list(&folder).map_err(failed)?;
    // An interrupted creation.
    let _ = listed.pop_if(|(_, name)| segment::is_unborn(&folder, name));
    let read = |(_, name): (u64, String)| read(&folder, path, &name).map_err(failed);
    listed.into_iter().map(read).collect()
}

fn read(folder: &Directory, path: &Path, name: &str) -> io::Result<KeptSegment> {
    let disk = folder.open_to_read(name)?;
    let damage = |byte| Some(SegmentDamage { segment: path.join(name), byte });
    let mut read =
        KeptSegment { path: path.join(name), bytes: disk.len()?, first: None, last: None, damage: None };
    let mut header = [0; HEADER_BYTES];
    if read.bytes >= HEADER_BYTES as u64 {
        disk.read(0, &mut header)?;
    }
    let Some(before) = segment::before(&header, name) else {
        return Ok(KeptSegment { damage: damage(0), ..read });
    };
    let start = segment::next(HEADER_BYTES as u64);
    if read.bytes >= start + HEAD_BYTES as u64 {
        let mut head = [0; HEAD_BYTES];
        disk.read(start, &mut head)?;
        let head = Head::decode(segment::site(&before, start), &head);
        read.first = head.filter(|head| head.kind == Kind::Commit).map(|head| commit(head.number, head.time));
    }
    let mut last = chain::marked_end(&*disk, read.bytes, &before)?;
    if last.is_none()
        && let Some(segment) = Segment::read(folder, name)?
    {
        // A failure has left it without a mark.
        let (end, position) = segment.end();
        if let Tail::Damaged(_) = segment.tail(end, position) {
            read.damage = damage(segment::next(end as u64));
        }
        last = Some(position);
    }
    read.last = last.filter(|last| last.number > before.number).map(|last| commit(last.number, last.time));
    if read.last.is_some() && read.first.is_none() {
        read.damage = damage(start);
    }
    Ok(read)
}

fn commit(number: u64, ticks: i64) -> KeptCommit {
    KeptCommit { number, time: Timestamp::from_ticks(ticks).unwrap_or(Timestamp::MIN_STORED) }
}
