//! The end of a kept log.

use std::{io, sync::Arc};

use super::{
    chain,
    error::KeptLogProblem,
    folder::Folder,
    record::{self, Head, Kind, Site},
    segment::{self, HEADER_BYTES, Position, Segment},
    settings::KeepLog,
    tail::Tail,
};
use crate::{Disk, disk::full_at, engine::LogId, refusal::Refusal};

/// Size from which on a new segment is started.
const SEGMENT_BYTES: u64 = 16 << 20;

/// Appends commits to a kept log. Each is on stable storage before the store commits it.
#[derive(Debug)]
pub(crate) struct Writer {
    settings: KeepLog,
    folder: Arc<dyn Folder>,
    file: Arc<dyn Disk>,
    /// Number of the first commit of the segment.
    first: u64,
    /// Length of the segment up to the end of the last commit.
    len: u64,
    /// Position at `len`.
    last: Position,
    /// Time in ticks of the last record. No later record has an earlier time.
    time: i64,
    /// Offset of the last record, and the position before it. The store may not have committed it.
    previous: Option<(u64, Position)>,
    /// The file may contain more than the commits, and a mark.
    remains: bool,
    segment_bytes: u64,
    buffer: Vec<u8>,
}

impl Writer {
    /// Starts a log at a time in ticks, in a folder without one.
    pub(super) fn create(
        settings: &KeepLog,
        folder: Arc<dyn Folder>,
        log: LogId,
        time: i64,
    ) -> Result<Self, Refusal> {
        let failed = |error: io::Error| refused(settings, error.into());
        for (number, name) in segment::list(&*folder).map_err(failed)? {
            let started = Segment::read(&*folder, &name).map_err(failed)?;
            // An interrupted start leaves a segment without commits.
            if number != 1 || started.is_some_and(|segment| segment.records().next().is_some()) {
                return Err(refused(settings, KeptLogProblem::Exists));
            }
            // A store that has not written a commit yet holds its lock.
            let _locked = folder.open(&name).map_err(failed)?;
            folder.remove(&name).map_err(failed)?;
        }
        let last = Position { log, time, ..Position::default() };
        let file = start(&*folder, &last).map_err(failed)?;
        Ok(Self::of(settings, folder, file, 1, HEADER_BYTES as u64, last))
    }

    /// Continues a log at the position of the store. A last commit that the store does not contain is removed, if nothing
    /// proves that the store contained it: it was not acknowledged. No segment between the first and the last one may be
    /// missing.
    pub(super) fn open(
        settings: &KeepLog,
        folder: Arc<dyn Folder>,
        position: Position,
    ) -> Result<Self, Refusal> {
        let failed = |error: io::Error| refused(settings, error.into());
        let refuse = |problem| Err(refused(settings, problem));
        let mut listed = segment::list(&*folder).map_err(failed)?;
        if let Some((_, name)) = listed.pop_if(|(_, name)| segment::is_unborn(&*folder, name)) {
            folder.remove(&name).map_err(failed)?;
        }
        let Some((first, name)) = listed.last() else { return refuse(KeptLogProblem::Missing) };
        let Some(segment) = Segment::read(&*folder, name).map_err(failed)? else {
            return refuse(KeptLogProblem::DamagedSegment { name: name.clone() });
        };
        if segment.before.log != position.log {
            return refuse(KeptLogProblem::Other);
        }
        let (end, last) = segment.end();
        let tail = segment.tail(end, last);
        let differs = |log| refuse(KeptLogProblem::Differs { log, store: position.number });
        let lacking = (last.number.saturating_add(1), position.number);
        let damaged = |(first, last)| KeptLogProblem::DamagedCommits { name: name.clone(), first, last };
        let end = match tail {
            Tail::Damaged(hidden) => return refuse(damaged((lacking.0, hidden.max(lacking.1)))),
            // The store contains what the bytes after the last sound commit were.
            Tail::Incomplete { .. } if last.number < position.number => return refuse(damaged(lacking)),
            Tail::Continued if last.number < position.number => {
                return refuse(KeptLogProblem::Gap { first: lacking.0, last: lacking.1 });
            }
            _ if last == position => end,
            _ if last.number == position.number => return refuse(KeptLogProblem::Diverged),
            _ if position.number.checked_add(1) != Some(last.number) || tail.proves_last() => {
                return differs(last.number);
            }
            _ => {
                let before = segment.records().take_while(|record| record.end < end).last();
                let (end, before) =
                    before.map_or((HEADER_BYTES, segment.before), |before| (before.end, before.position));
                if before != position {
                    return refuse(KeptLogProblem::Diverged);
                }
                end
            }
        };
        // Another process that uses the log may delete the oldest segments.
        let file = folder.open(name).map_err(failed)?;
        let earlier = listed.split_last().map_or(&[][..], |(_, earlier)| earlier);
        chain::check(&*folder, earlier, &segment).map_err(|problem| refused(settings, problem))?;
        let mut writer = Self::of(settings, folder, file, *first, end as u64, position);
        if let Tail::Confirmed(time) = tail {
            writer.time = writer.time.max(time);
        }
        writer.trim().map_err(failed)?;
        writer.confirm(position);
        Ok(writer)
    }

    fn of(
        settings: &KeepLog,
        folder: Arc<dyn Folder>,
        file: Arc<dyn Disk>,
        first: u64,
        len: u64,
        last: Position,
    ) -> Self {
        let settings = settings.clone();
        let segment_bytes = SEGMENT_BYTES.min(settings.most_bytes / 4);
        Self {
            settings,
            folder,
            file,
            first,
            len,
            last,
            time: last.time,
            previous: None,
            remains: false,
            segment_bytes,
            buffer: Vec::new(),
        }
    }

    pub(super) fn last(&self) -> Position {
        self.last
    }

    /// Appends a commit of a store at `position`, and returns the position after it. After an error nothing is appended.
    pub(super) fn append(&mut self, position: Position, time: i64, changes: &[u8]) -> io::Result<Position> {
        self.try_append(position, time, changes).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => lost(&self.settings),
            _ => full_at(error, &self.settings.folder),
        })
    }

    fn try_append(&mut self, position: Position, time: i64, changes: &[u8]) -> io::Result<Position> {
        if position != self.last {
            // The store did not commit the last record.
            let (len, before) = self.previous.filter(|(_, before)| *before == position).ok_or_else(gap)?;
            (self.len, self.last, self.previous, self.remains) = (len, before, None, true);
        }
        if self.remains {
            self.trim()?;
        }
        if self.len >= self.segment_bytes {
            let next = start(&*self.folder, &self.last)?;
            // After a failure nothing tells that the next segment exists. This is also the case after a crash here.
            let _ = self.mark(Kind::Continued).and_then(|()| self.file.sync());
            (self.file, self.len, self.previous) = (next, HEADER_BYTES as u64, None);
            self.first = self.last.number.saturating_add(1);
            self.remove_oldest()?;
        }
        self.time = self.time.max(time);
        let last =
            record::encode(&self.last, self.site(), self.time, changes, &mut self.buffer).ok_or_else(gap)?;
        let at = segment::next(self.len);
        self.remains = true;
        let end = at + self.buffer.len() as u64;
        let written = self.file.write(at, &self.buffer).and_then(|()| self.file.sync());
        let written = written.and_then(|()| self.find_file(end));
        self.buffer.shrink_to(1 << 20);
        if let Err(error) = written {
            // If this fails, the next commit repeats it.
            let _ = self.trim();
            return Err(error);
        }
        self.remains = false;
        self.previous = Some((self.len, self.last));
        self.len = end;
        self.last = last;
        Ok(last)
    }

    /// Marks the end of the log after a commit that the store contains. The mark is not synced: it survives the end of the
    /// process, and later a power failure. An error is ignored, because the commit is complete without the mark.
    pub(super) fn confirm(&self, position: Position) {
        // Another commit may have been appended in the meantime.
        if position == self.last {
            let _ = self.mark(Kind::End);
        }
    }

    /// Marks the end of the log at a time in ticks, if the store is at `position`, and releases its lock.
    pub(super) fn close(mut self, position: Option<Position>, time: i64) {
        self.time = self.time.max(time);
        if position == Some(self.last) {
            let _ = self.mark(Kind::End).and_then(|()| self.file.sync());
        }
        let _ = self.file.close();
    }

    /// Checks that the folder contains the open segment of length `end`. A file without a name is lost with the process.
    fn find_file(&self, end: u64) -> io::Result<()> {
        match self.folder.len(&segment::file_name(self.first))? {
            len if len == end => Ok(()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Removes everything after the last commit. Nothing is appended before this is on stable storage: only then a shorter
    /// commit is never followed by the rest of a longer one.
    fn trim(&mut self) -> io::Result<()> {
        self.file.set_len(self.len).and_then(|()| self.file.sync())?;
        self.remains = false;
        Ok(())
    }

    /// Writes a mark after the last commit.
    fn mark(&self, kind: Kind) -> io::Result<()> {
        let mark = Head::mark(kind, &self.last, self.time).encode(self.site());
        self.file.write(segment::next(self.len), &mark)
    }

    /// Returns the place after the last commit.
    fn site(&self) -> Site {
        Site { log: self.last.log, first: self.first, offset: segment::next(self.len) }
    }

    /// Deletes the oldest segments until the limit has room for another one.
    fn remove_oldest(&self) -> io::Result<()> {
        let mut listed = Vec::new();
        for (first, name) in segment::list(&*self.folder)? {
            // Not the one in use, nor what another program put after it.
            if first < self.first {
                listed.push((self.folder.len(&name)?, name));
            }
        }
        let mut bytes: u64 = listed.iter().map(|(len, _)| len).sum();
        for (len, name) in listed {
            if bytes.saturating_add(self.segment_bytes) <= self.settings.most_bytes {
                break;
            }
            self.folder.remove(&name)?;
            // A power failure must not keep this one and remove the next one.
            self.folder.sync()?;
            bytes -= len;
        }
        Ok(())
    }
}

/// Creates a segment after a position. An earlier attempt may have failed before its first record.
fn start(folder: &dyn Folder, before: &Position) -> io::Result<Arc<dyn Disk>> {
    let file = folder.create(&segment::name(before))?;
    file.write(0, &segment::header(before))?;
    file.sync()?;
    folder.sync()?;
    Ok(file)
}

fn lost(settings: &KeepLog) -> io::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        format!(
            "the kept log in {} was removed, moved or replaced; put its files back, or open the store with a new log in an \
             empty folder (`KeepLog::start_new`)",
            settings.folder.display()
        ),
    )
}

fn gap() -> io::Error {
    io::Error::other("the store and its kept log have different positions; open the store again")
}

fn refused(settings: &KeepLog, problem: KeptLogProblem) -> Refusal {
    Refusal::KeptLog { folder: settings.folder.clone(), problem }
}
