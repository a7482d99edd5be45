//! A log of all commits that is kept in a folder, and the restoration of a backup to a point in time.
//!
//! Every commit is first appended to the kept log and synced, and then made in the store together with its position in the
//! kept log. The position of the store is therefore never after the end of the log, and at most one commit before it.

mod chain;
mod engine;
mod error;
mod folder;
mod listing;
mod position;
mod reading;
mod record;
mod restore;
mod search;
mod segment;
mod segment_damage;
mod settings;
mod tail;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{KeptLogProblem, RestoreError};
pub use listing::{KeptCommit, KeptSegment};
pub(crate) use restore::restore;
pub use restore::{LogEnd, RestoreTo, Restored};
pub(crate) use segment::POSITION_BYTES;
pub use segment_damage::SegmentDamage;
pub use settings::KeepLog;
pub(crate) use settings::KeptLogUse;

use std::sync::Arc;

use table_model::StorageFault;

use self::{engine::KeepingEngine, folder::Directory, segment::Position, writer::Writer};
use crate::{
    OpenOptions,
    engine::{Engine, LogId, Persist, Verdict, commit, io_fault},
    refusal::Refusal,
    timestamps::believed,
};

/// Use of the kept log by a store that is being opened.
pub(crate) enum Prepared {
    None,
    Keep(Box<Writer>),
    End,
}

/// Compares a store that is not writable yet with its kept log. A store that has one is not written without it, unless the
/// caller ends it.
pub(crate) fn prepare(options: &OpenOptions, engine: &dyn Engine) -> Result<Prepared, Refusal> {
    if options.read_only {
        return match &options.kept_log {
            KeptLogUse::Keep(KeepLog { folder, .. }) => {
                Err(Refusal::KeptLog { folder: folder.clone(), problem: KeptLogProblem::ReadOnly })
            }
            KeptLogUse::Unspecified | KeptLogUse::End => Ok(Prepared::None),
        };
    }
    let mut found: Result<Option<Position>, StorageFault> = Ok(None);
    engine.read(&mut |read| found = position::read(read))?;
    Ok(match (&options.kept_log, found?) {
        (KeptLogUse::Unspecified, Some(position)) => {
            return Err(Refusal::KeptLogRequired { commit: position.number });
        }
        (KeptLogUse::Unspecified | KeptLogUse::End, None) => Prepared::None,
        (KeptLogUse::End, Some(_)) => Prepared::End,
        (KeptLogUse::Keep(settings), Some(position)) if !settings.start_new => {
            let folder = Arc::new(Directory::new(&settings.folder));
            Prepared::Keep(Box::new(Writer::open(settings, folder, position)?))
        }
        (KeptLogUse::Keep(settings), _) => {
            let mut id = LogId::default();
            options.random.fill(&mut id).map_err(io_fault)?;
            let folder = Arc::new(Directory::new(&settings.folder));
            Prepared::Keep(Box::new(Writer::create(settings, folder, id, believed(options.clock.now()))?))
        }
    })
}

impl Prepared {
    /// Puts the kept log in front of an engine.
    pub(crate) fn wrap(
        self,
        options: &OpenOptions,
        engine: impl Engine + 'static,
    ) -> Result<Box<dyn Engine>, StorageFault> {
        Ok(match self {
            Self::None => Box::new(engine),
            Self::Keep(writer) => Box::new(KeepingEngine::keep(engine, writer, Arc::clone(&options.clock))?),
            Self::End => {
                commit(&engine, |write| {
                    position::remove(write)?;
                    Ok(Verdict::Commit(Persist::Now))
                })?;
                Box::new(engine)
            }
        })
    }
}
