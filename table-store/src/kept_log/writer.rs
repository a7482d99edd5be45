//! The end of a kept log.

use std::{io, sync::Arc};

use super::{
    folder::Folder,
    segment::{self, HEADER_BYTES, Position, Segment},
    settings::KeepLog,
};
use crate::{Disk, engine::LogId, refusal::Refusal};

/// Size from which on a new segment is started.
const SEGMENT_BYTES: u64 = 16 << 20;

/// Appends commits to a kept log. Each is on stable storage before the store commits it.
#[derive(Debug)]
pub(crate) struct Writer {
    settings: KeepLog,
    folder: Arc<dyn Folder>,
    file: Arc<dyn Disk>,
    /// Length of the sound part of the segment.
    len: u64,
    /// Position at `len`.
    last: Position,
    /// Offset of the last record, and the position before it. The store may not have committed it.
    previous: Option<(u64, Position)>,
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
        let failed = |error: io::Error| failed(settings, &error);
        for (number, name) in segment::list(&*folder).map_err(failed)? {
            let started = Segment::read(&*folder, &name).map_err(failed)?;
            // An interrupted start leaves a segment without commits.
            if number != 1 || started.is_some_and(|segment| segment.records().next().is_some()) {
                return Err(refused(settings, "contains another log; specify an empty folder".to_owned()));
            }
            folder.remove(&name).map_err(failed)?;
        }
        let last = Position { log, time, ..Position::default() };
        let file = start(&*folder, &last).map_err(failed)?;
        Ok(Self::of(settings, folder, file, HEADER_BYTES as u64, last))
    }

    /// Continues a log at the position of the store. A last commit that the store does not contain is removed: it was not
    /// acknowledged.
    pub(super) fn open(
        settings: &KeepLog,
        folder: Arc<dyn Folder>,
        position: Position,
    ) -> Result<Self, Refusal> {
        let failed = |error: io::Error| failed(settings, &error);
        let mut listed = segment::list(&*folder).map_err(failed)?;
        if let Some((_, name)) = listed.pop_if(|(_, name)| segment::is_unborn(&*folder, name)) {
            folder.remove(&name).map_err(failed)?;
        }
        let Some((_, name)) = listed.last() else {
            let what = "does not contain the kept log of the store; specify its folder, or start a new log with \
                        `KeepLog::start_new` or `tables serve --start-new-log`";
            return Err(refused(settings, what.to_owned()));
        };
        let Some(segment) = Segment::read(&*folder, name).map_err(failed)? else {
            return Err(refused(settings, format!("contains the damaged segment {name}")));
        };
        if segment.before.log != position.log {
            return Err(refused(
                settings,
                "contains the log of another store, or of an earlier time; specify the folder of this store"
                    .to_owned(),
            ));
        }
        let last = segment.records().last();
        let end = if segment.end().1 == position {
            segment.end().0
        } else if let Some(last) = last.filter(|last| last.position.number == position.number + 1) {
            let before = segment.records().take_while(|record| record.end < last.end).last();
            let (end, before) =
                before.map_or((HEADER_BYTES, segment.before), |before| (before.end, before.position));
            if before != position {
                return Err(refused(settings, "does not contain the last commit of the store; start a new log in an empty folder with `KeepLog::start_new` or `tables serve --start-new-log`".to_owned()));
            }
            end
        } else {
            let reached = segment.end().1.number;
            return Err(refused(
                settings,
                format!(
                    "ends at commit {reached}, but the store at commit {}; put the missing segments back, or, if the \
                     store was restored, start a new log in an empty folder with `KeepLog::start_new` or `tables serve --start-new-log`",
                    position.number
                ),
            ));
        };
        let file = folder.open(name).map_err(failed)?;
        let len = end as u64;
        file.set_len(len).and_then(|()| file.sync()).map_err(failed)?;
        Ok(Self::of(settings, folder, file, len, position))
    }

    fn of(
        settings: &KeepLog,
        folder: Arc<dyn Folder>,
        file: Arc<dyn Disk>,
        len: u64,
        last: Position,
    ) -> Self {
        let settings = settings.clone();
        let segment_bytes = SEGMENT_BYTES.min(settings.most_bytes / 4);
        Self { settings, folder, file, len, last, previous: None, segment_bytes, buffer: Vec::new() }
    }

    pub(super) fn last(&self) -> Position {
        self.last
    }

    /// Appends a commit of a store at `position`, and returns the position after it. After an error nothing is appended.
    pub(super) fn append(&mut self, position: Position, time: i64, changes: &[u8]) -> io::Result<Position> {
        if position != self.last {
            // The store did not commit the last record.
            let (len, before) = self.previous.filter(|(_, before)| *before == position).ok_or_else(gap)?;
            self.file.set_len(len)?;
            (self.len, self.last, self.previous) = (len, before, None);
        }
        if self.len >= self.segment_bytes {
            self.file = start(&*self.folder, &self.last)?;
            self.len = HEADER_BYTES as u64;
            self.previous = None;
            self.remove_oldest()?;
        }
        let time = time.max(self.last.time);
        let last = segment::record(&self.last, time, changes, &mut self.buffer).ok_or_else(gap)?;
        let at = segment::next(self.len);
        let written = self.file.write(at, &self.buffer).and_then(|()| self.file.sync());
        self.buffer.shrink_to(1 << 20);
        if let Err(error) = written {
            // A reader of the log ignores an incomplete record, so this may fail.
            let _ = self.file.set_len(self.len);
            return Err(error);
        }
        self.previous = Some((self.len, self.last));
        self.len = at + (segment::RECORD_BYTES + changes.len()) as u64;
        self.last = last;
        Ok(last)
    }

    /// Deletes the oldest segments until the limit has room for another one.
    fn remove_oldest(&self) -> io::Result<()> {
        let mut listed = Vec::new();
        for (_, name) in segment::list(&*self.folder)? {
            listed.push((self.folder.len(&name)?, name));
        }
        // The last one is in use.
        listed.pop();
        let mut bytes: u64 = listed.iter().map(|(len, _)| len).sum();
        for (len, name) in listed {
            if bytes.saturating_add(self.segment_bytes) <= self.settings.most_bytes {
                break;
            }
            self.folder.remove(&name)?;
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

fn gap() -> io::Error {
    io::Error::other("the store and its kept log have different positions; open the store again")
}

fn refused(settings: &KeepLog, what: String) -> Refusal {
    Refusal::KeptLog { folder: settings.folder.clone(), what }
}

fn failed(settings: &KeepLog, error: &io::Error) -> Refusal {
    refused(settings, format!("cannot be used: {error}"))
}
