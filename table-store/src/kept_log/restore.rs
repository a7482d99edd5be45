//! Restoration of a backup to a point in time.

use std::{path::Path, sync::Arc};

use table_model::{StorageFault, Timestamp};

use super::{
    error::RestoreError,
    folder::Directory,
    position,
    segment::{self, Position, Record, Segment},
};
use crate::{
    BackupError, Disk, OpenError, OpenOptions, Place, backup,
    engine::{self, Engine, FileEngine, LoggedEngine, Persist, Read, Verdict},
    file,
};

const CACHE_BYTES: usize = 64 << 20;

/// Point to which a backup is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreTo {
    /// The last commit in the kept log.
    Latest,
    /// The last commit at or before a time.
    Time(Timestamp),
    /// A commit by its number.
    Commit(u64),
}

/// Result of a restoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// Number of the last commit in the new store.
    pub commit: u64,
    /// Time of this commit, or of the start of the log if it is 0.
    pub time: Timestamp,
    /// Number of commits that were applied to the backup.
    pub applied: u64,
    /// The kept log contains later commits.
    pub more: bool,
    /// Bytes follow the last commit: the process ended while it appended another one, or the end of the log is damaged.
    pub incomplete: bool,
}

impl RestoreTo {
    fn includes(self, position: &Position) -> bool {
        match self {
            Self::Latest => true,
            Self::Time(time) => position.time <= time.ticks(),
            Self::Commit(number) => position.number <= number,
        }
    }
}

/// Creates a new store from a backup and the kept log of the store.
pub(crate) fn restore(
    options: &OpenOptions,
    backup: &Path,
    folder: &Path,
    to: RestoreTo,
    path: &Path,
) -> Result<Restored, RestoreError> {
    let Some(found) = file::find_to_read(backup)? else {
        return Err(OpenError::Missing { place: backup.into() }.into());
    };
    let disk: Arc<dyn Disk> = Arc::new(found);
    let refused = |refusal: crate::refusal::Refusal| RestoreError::from(refusal.at(Place::from(backup)));
    let damaged = |what: String| RestoreError::from(OpenError::Damaged { place: backup.into(), what });
    let (file, head) = FileEngine::examine(Arc::clone(&disk), options.cache_bytes).map_err(refused)?;
    let file = match (file, head.into_iter().next()) {
        (Some(file), None) => file,
        (_, damage) => return Err(damaged(damage.map_or_else(String::new, |damage| damage.to_string()))),
    };
    let examined = LoggedEngine::examine(file, Arc::clone(&disk), Arc::clone(&options.random));
    let (source, damage) = examined.map_err(refused)?;
    if let Some(damage) = damage {
        return Err(damaged(damage.to_string()));
    }
    let mut base = Ok(None);
    source.read(&mut |read| base = position::read(read))?;
    let base = base?.ok_or_else(|| RestoreError::NoPosition { backup: backup.to_owned() })?;
    if !to.includes(&base) {
        let time = Timestamp::from_ticks(base.time).unwrap_or(Timestamp::MIN_STORED);
        return Err(RestoreError::TooEarly { number: base.number, time });
    }
    let log = Log { folder, to };
    let made = file::create(path, &*options.random, |disk| log.fill(&source, &disk, base, path))?;
    let released = disk.close().map_err(|error| StorageFault::Io(Arc::new(error)));
    let restored = made.ok_or_else(|| BackupError::Taken { place: path.into() })?;
    released?;
    Ok(restored)
}

struct Log<'l> {
    folder: &'l Path,
    to: RestoreTo,
}

impl Log<'_> {
    fn fill(
        &self,
        source: &dyn Engine,
        disk: &Arc<dyn Disk>,
        base: Position,
        path: &Path,
    ) -> Result<Restored, RestoreError> {
        let engine = FileEngine::create(Arc::clone(disk), CACHE_BYTES, true)?;
        let mut copied = Ok(0);
        source.read(&mut |read: &dyn Read| copied = backup::copy(read, &engine, path, &|| false))?;
        copied?;
        let restored = self.apply(&engine, base)?;
        // The new store is not continued by this log.
        engine::commit(&engine, |write| {
            position::remove(write)?;
            Ok(Verdict::Commit(Persist::Now))
        })?;
        engine.compact().and_then(|()| engine.close())?;
        Ok(restored)
    }

    /// Applies the commits after `base`, up to the requested point.
    fn apply(&self, engine: &FileEngine, base: Position) -> Result<Restored, RestoreError> {
        let failed = |error| RestoreError::Log { folder: self.folder.to_owned(), error };
        let folder = Directory::new(self.folder);
        let mut listed = segment::list(&folder).map_err(failed)?;
        // An interrupted creation.
        let _ = listed.pop_if(|(_, name)| segment::is_unborn(&folder, name));
        let skipped = listed.iter().take_while(|(first, _)| *first <= base.number.saturating_add(1)).count();
        let (mut last, mut more, mut incomplete) = (None, false, false);
        for (first, name) in listed.iter().skip(skipped.saturating_sub(1)) {
            let reached: Position = last.unwrap_or(base);
            if last.is_some() && self.to == RestoreTo::Commit(reached.number) {
                more = true;
                break;
            }
            if last.is_none() && *first > base.number.saturating_add(1) {
                return Err(self.gap(base.number, *first));
            }
            let Some(segment) = Segment::read(&folder, name).map_err(failed)? else {
                return Err(self.gap(reached.number, first.saturating_add(1)));
            };
            if segment.before.log != base.log {
                return Err(RestoreError::OtherLog { segment: self.folder.join(name) });
            }
            if last.is_some_and(|last| last != segment.before) {
                return Err(self.gap(reached.number, *first));
            }
            let (next, ended) = self.apply_segment(engine, &segment, base)?;
            last = Some(next);
            incomplete = !ended && segment.is_torn();
            if ended {
                more = true;
                break;
            }
        }
        let last = last.unwrap_or(base);
        match self.to {
            _ if last.number < base.number => {
                return Err(self.gap(last.number, base.number.saturating_add(1)));
            }
            RestoreTo::Commit(number) if last.number < number => {
                return Err(RestoreError::NotReached { folder: self.folder.to_owned(), last: last.number });
            }
            _ => {}
        }
        Ok(Restored {
            commit: last.number,
            time: Timestamp::from_ticks(last.time).unwrap_or(Timestamp::MIN_STORED),
            applied: last.number.saturating_sub(base.number),
            more,
            incomplete,
        })
    }

    /// Applies the commits of a segment in one transaction. Returns the position after the last one, and whether a later
    /// commit follows it in the segment.
    fn apply_segment(
        &self,
        engine: &FileEngine,
        segment: &Segment,
        base: Position,
    ) -> Result<(Position, bool), RestoreError> {
        let records: Vec<Record<'_>> = segment.records().collect();
        let mut last = segment.before;
        let other = || RestoreError::OtherLog { segment: self.folder.join(&segment.name) };
        let mut wanted = Vec::new();
        let mut ended = false;
        for record in &records {
            if record.position.number == base.number.saturating_add(1) && last != base {
                return Err(other());
            }
            if record.position.number > base.number {
                if !self.to.includes(&record.position) {
                    ended = true;
                    break;
                }
                wanted.push(record);
            }
            last = record.position;
        }
        if last.number == base.number && last != base {
            return Err(other());
        }
        engine::commit(engine, |write| {
            for record in &wanted {
                let mut applied = Ok(());
                let decoded = engine::decode_changes(record.changes, |key, value| {
                    if applied.is_ok() {
                        applied = match value {
                            Some(value) => write.put(key, value),
                            None => write.remove(key),
                        };
                    }
                });
                applied?;
                decoded.ok_or_else(|| StorageFault::Corrupt {
                    what: format!("commit {} of the kept log ends early", record.position.number),
                })?;
            }
            Ok(Verdict::Commit(Persist::Now))
        })?;
        Ok((last, ended))
    }

    /// Returns the error of missing commits between a position and the next segment.
    fn gap(&self, reached: u64, next: u64) -> RestoreError {
        RestoreError::Gap {
            folder: self.folder.to_owned(),
            first: reached.saturating_add(1),
            last: next.saturating_sub(1),
        }
    }
}
