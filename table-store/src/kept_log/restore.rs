//! Restoration of a backup to a point in time.

use std::{path::Path, sync::Arc};

use table_model::{StorageFault, Timestamp};

use super::{
    error::RestoreError,
    folder::Directory,
    position,
    reading::Reading,
    segment::{Position, Record},
    segment_damage::SegmentDamage,
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
    /// The last commit at or before a time. The log must contain a later commit, or a later mark of its end.
    Time(Timestamp),
    /// A commit by its number.
    Commit(u64),
}

/// Result of a restoration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// Number of the last commit in the new store.
    pub commit: u64,
    /// Time of this commit, or of the start of the log if it is 0.
    pub time: Timestamp,
    /// Number of commits that were applied to the backup.
    pub applied: u64,
    /// What follows this commit in the log.
    pub end: LogEnd,
    /// Damage of commits that the backup contains. They were not needed: the commits after the backup are complete.
    pub damage: Option<SegmentDamage>,
}

/// What follows the restored commit in a kept log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogEnd {
    /// Later commits.
    Continues,
    /// The mark that a store writes after each commit and when it is closed: no commit is missing up to this one.
    Confirmed,
    /// Nothing, not even the mark. A power failure leaves this if it happens soon after the commit, and so does an
    /// incomplete copy of the log: later commits may be missing.
    Unconfirmed,
    /// Bytes that are no commit. A process that ends while it writes a commit leaves this, and so do some kinds of damage:
    /// later commits may be missing.
    Incomplete,
}

impl RestoreTo {
    pub(super) fn includes(self, position: &Position) -> bool {
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
        return Err(RestoreError::NoBackup { backup: backup.to_owned() });
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
    let log = Reading { folder: &Directory::new(folder), path: folder, to };
    let made = file::create(path, &*options.random, |disk| {
        fill(&source, &disk, base, &log, path).map_err(|error| full(error, path))
    })?;
    let released = disk.close().map_err(|error| StorageFault::Io(Arc::new(error)));
    let restored = made.ok_or_else(|| BackupError::Taken { place: path.into() })?;
    released?;
    Ok(restored)
}

/// Names the new file in the error of a full disk. Nothing else is written.
fn full(error: RestoreError, path: &Path) -> RestoreError {
    match error {
        RestoreError::Backup(BackupError::Store(fault @ StorageFault::DiskFull { .. })) => {
            backup::target(path, fault).into()
        }
        error => error,
    }
}

/// Fills a new file with the records of a backup and the commits after it.
fn fill(
    source: &dyn Engine,
    disk: &Arc<dyn Disk>,
    base: Position,
    log: &Reading<'_>,
    path: &Path,
) -> Result<Restored, RestoreError> {
    let engine = FileEngine::create(Arc::clone(disk), CACHE_BYTES, true)?;
    let mut copied = Ok(0);
    source.read(&mut |read: &dyn Read| copied = backup::copy(read, &engine, path, &|| false))?;
    copied?;
    let restored = log.apply(base, &mut |records| apply(&engine, records))?;
    // The new store is not continued by this log.
    engine::commit(&engine, |write| {
        position::remove(write)?;
        Ok(Verdict::Commit(Persist::Now))
    })?;
    engine.compact().and_then(|()| engine.close())?;
    Ok(restored)
}

/// Makes commits in one transaction.
fn apply(engine: &FileEngine, records: &[Record<'_>]) -> Result<(), StorageFault> {
    engine::commit(engine, |write| {
        for record in records {
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
    Ok(())
}
