//! The end of a kept log.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use super::{
    segment::{self, HEADER_BYTES, Position, Segment},
    settings::KeepLog,
};
use crate::{engine::LogId, file, refusal::Refusal};

/// Size from which on a new segment is started.
const SEGMENT_BYTES: u64 = 16 << 20;

/// Appends commits to a kept log. Each is on stable storage before the store commits it.
#[derive(Debug)]
pub(crate) struct Writer {
    settings: KeepLog,
    file: File,
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
    pub(super) fn create(settings: &KeepLog, log: LogId, time: i64) -> Result<Self, Refusal> {
        let other = |what: &str| refused(settings, what.to_owned());
        for (number, path) in segment::list(&settings.folder).map_err(|error| failed(settings, &error))? {
            let started = Segment::read(&path).map_err(|error| failed(settings, &error))?;
            // An interrupted start leaves a segment without commits.
            if number != 1 || started.is_some_and(|segment| segment.records().next().is_some()) {
                return Err(other("contains another log; specify an empty folder"));
            }
            fs::remove_file(&path).map_err(|error| failed(settings, &error))?;
        }
        let last = Position { log, time, ..Position::default() };
        let file = start(&settings.folder, &last).map_err(|error| failed(settings, &error))?;
        Ok(Self::of(settings, file, HEADER_BYTES as u64, last))
    }

    /// Continues a log at the position of the store. A last commit that the store does not contain is removed: it was not
    /// acknowledged.
    pub(super) fn open(settings: &KeepLog, position: Position) -> Result<Self, Refusal> {
        let failed = |error: io::Error| failed(settings, &error);
        let mut listed = segment::list(&settings.folder).map_err(failed)?;
        if let Some((_, path)) = listed.pop_if(|(_, path)| segment::is_unborn(path)) {
            fs::remove_file(path).map_err(failed)?;
        }
        let Some((_, path)) = listed.last() else {
            let what = "does not contain the kept log of the store; specify its folder, or start a new log with \
                        `KeepLog::start_new`";
            return Err(refused(settings, what.to_owned()));
        };
        let Some(segment) = Segment::read(path).map_err(failed)? else {
            return Err(refused(settings, format!("contains the damaged segment {}", path.display())));
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
            let before = segment.records().take_while(|record| record.start < last.start).last();
            if before.map_or(segment.before, |before| before.position) != position {
                return Err(refused(settings, "does not contain the last commit of the store; start a new log in an empty folder with `KeepLog::start_new`".to_owned()));
            }
            last.start
        } else {
            let reached = segment.end().1.number;
            return Err(refused(
                settings,
                format!(
                    "ends at commit {reached}, but the store at commit {}; put the missing segments back, or, if the \
                     store was restored, start a new log in an empty folder with `KeepLog::start_new`",
                    position.number
                ),
            ));
        };
        let file = lock(path).map_err(failed)?;
        let len = end as u64;
        file.set_len(len).and_then(|()| file.sync_all()).map_err(failed)?;
        Ok(Self::of(settings, file, len, position))
    }

    fn of(settings: &KeepLog, file: File, len: u64, last: Position) -> Self {
        let settings = settings.clone();
        let segment_bytes = SEGMENT_BYTES.min(settings.most_bytes / 4);
        Self { settings, file, len, last, previous: None, segment_bytes, buffer: Vec::new() }
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
            self.file = start(&self.settings.folder, &self.last)?;
            self.len = HEADER_BYTES as u64;
            self.previous = None;
            self.remove_oldest()?;
        }
        let time = time.max(self.last.time);
        let last = segment::record(&self.last, time, changes, &mut self.buffer).ok_or_else(gap)?;
        let written = self
            .file
            .seek(SeekFrom::Start(self.len))
            .and_then(|_| self.file.write_all(&self.buffer))
            .and_then(|()| self.file.sync_data());
        self.buffer.shrink_to(1 << 20);
        if let Err(error) = written {
            // A reader of the log ignores an incomplete record, so this may fail.
            let _ = self.file.set_len(self.len);
            return Err(error);
        }
        self.previous = Some((self.len, self.last));
        self.len += (segment::RECORD_BYTES + changes.len()) as u64;
        self.last = last;
        Ok(last)
    }

    /// Deletes the oldest segments until the limit has room for another one.
    fn remove_oldest(&self) -> io::Result<()> {
        let mut listed = Vec::new();
        for (_, path) in segment::list(&self.settings.folder)? {
            listed.push((fs::metadata(&path)?.len(), path));
        }
        // The last one is in use.
        listed.pop();
        let mut bytes: u64 = listed.iter().map(|(len, _)| len).sum();
        for (len, path) in listed {
            if bytes.saturating_add(self.segment_bytes) <= self.settings.most_bytes {
                break;
            }
            fs::remove_file(path)?;
            bytes -= len;
        }
        Ok(())
    }
}

/// Creates a segment after a position.
fn start(folder: &Path, before: &Position) -> io::Result<File> {
    let path = segment::path(folder, before);
    let mut options = File::options();
    // An earlier attempt may have failed before its first record.
    options.read(true).write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path)?;
    locked(&file)?;
    file.write_all(&segment::header(before))?;
    file.sync_all()?;
    file::sync_directory(&path)?;
    Ok(file)
}

fn lock(path: &PathBuf) -> io::Result<File> {
    let file = File::options().read(true).write(true).open(path)?;
    locked(&file)?;
    Ok(file)
}

fn locked(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::WouldBlock, "the kept log is in use by another process")
        }
        TryLockError::Error(error) => error,
    })
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
