//! A copy of a store whose log is lost.

use std::{path::Path, sync::Arc};

use table_model::{StorageFault, Timestamp};

use super::{Backup, BackupError, to_file};
use crate::{
    Disk, OpenError, OpenOptions, Place,
    engine::{self, FileEngine, LoggedEngine},
    file, meta,
    refusal::Refusal,
    timestamps,
};

/// Result of [`OpenOptions::accept_lost_log`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AcceptedLoss {
    /// The copy.
    pub backup: Backup,
    /// The commits that the copy lacks. `None` if the log is complete, so that the copy contains all commits.
    pub lost: Option<LostCommits>,
}

/// Commits that a lost or damaged log contained.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostCommits {
    /// Number of the last commit in the copy. Some or all later commits are lost.
    pub after: u64,
    /// No commit up to this time is lost.
    pub since: Timestamp,
    /// State of the log.
    pub reason: String,
}

/// Copies the store at `path` with the sound part of its log to a new file.
pub(crate) fn accept(options: &OpenOptions, path: &Path, copy: &Path) -> Result<AcceptedLoss, BackupError> {
    let Some(found) = file::find_to_read(path)? else {
        return Err(OpenError::Missing { place: path.into() }.into());
    };
    let disk: Arc<dyn Disk> = Arc::new(found);
    let at = |refusal: Refusal| refusal.at(Place::from(path));
    let (file, head) = FileEngine::examine(Arc::clone(&disk), options.cache_bytes).map_err(at)?;
    let Some(file) = file else {
        let what = head.into_iter().map(|damage| damage.to_string()).collect::<Vec<_>>().join("; ");
        return Err(OpenError::Damaged { place: path.into(), what }.into());
    };
    let examined = LoggedEngine::examine(file, Arc::clone(&disk), Arc::clone(&options.random));
    let (engine, damage) = examined.map_err(at)?;
    let lost = damage.map(|damage| lost(&engine, damage.what)).transpose()?;
    let copied = to_file(&engine, options, copy, &|| false);
    // Closing the engine would write to the file.
    let released = disk.close().map_err(|error| StorageFault::Io(Arc::new(error)));
    let backup = copied?;
    released?;
    Ok(AcceptedLoss { backup, lost })
}

fn lost(engine: &LoggedEngine, reason: String) -> Result<LostCommits, BackupError> {
    let clock = engine::view(engine, |read| Ok(meta::read(read)?.clock));
    let clock = clock.map_err(|error| {
        let bug = || StorageFault::Bug { what: error.to_string() };
        BackupError::Store(error.fault().cloned().unwrap_or_else(bug))
    })?;
    let since = Timestamp::from_ticks(timestamps::reached(clock).max(Timestamp::MIN_STORED.ticks()));
    let since = since.unwrap_or(Timestamp::MIN_STORED);
    Ok(LostCommits { after: engine.last(), since, reason })
}
