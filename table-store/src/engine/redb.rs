//! The file engine: one redb table for all records, after a head that protects the redb header.

mod applied;
mod around;
mod backend;
mod compaction;
mod examination;
mod fault;
mod guard;
mod head;
mod header;
mod latest;
mod load;
mod opening;
mod pages;
mod pinned;
mod remains;
mod rows;
mod scrub;
mod sector;
mod transaction;
mod trees;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, RwLock, atomic::AtomicBool},
};

use ::redb::{Database, Durability, ReadOnlyTable, ReadableDatabase, TableDefinition};

pub(crate) use self::{
    applied::Applied,
    around::Reporting,
    fault::io as io_fault,
    head::{HeadState, LogId, LogUse},
    pages::Accept,
    pinned::Pinned,
    remains::Remains,
    sector::{BLOCK_BYTES, SECTOR_BYTES, Sector},
    transaction::Snapshot,
    trees::LostPage,
};

use table_model::StorageFault;

use self::{
    backend::Attachment, fault::Failure, guard::Guard, latest::Latest, scrub::FileScrub,
    transaction::Transaction,
};
use super::{Abandon, Engine, PageScrub, Persist, Read, Verdict, Write};
use crate::disk::Disk;

/// All records of the store. Keys start with a table id.
const RECORDS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("records");

type Records = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// redb on a [`Disk`].
///
/// After a disk error, redb rejects all operations until it is opened again. The engine reopens it automatically. If
/// the disk cannot be written for that purpose, the recovery stays in memory: reads continue, and each write retries.
#[derive(Debug)]
pub(crate) struct FileEngine {
    disk: Arc<dyn Disk>,
    guard: Arc<Guard>,
    cache_bytes: usize,
    open: RwLock<Open>,
    /// Held while a transaction writes or the file is reopened, so that both never overlap.
    writing: Mutex<()>,
    /// The file may be changed. False until it is admitted.
    admitted: AtomicBool,
}

#[derive(Debug)]
struct Open {
    database: Option<Database>,
    attachment: Arc<Attachment>,
    /// Number of openings of the file. A caller with a failure uses it to detect that another thread has already
    /// reopened the file.
    generation: u64,
    latest: Latest,
    closed: bool,
}

/// A file that was rejected after redb opened it must not receive redb's final commit; see [`opening::discard`].
impl Drop for Open {
    fn drop(&mut self) {
        if let Some(database) = self.database.take() {
            if self.attachment.is_trial() {
                opening::discard(database);
            } else {
                let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
            }
        }
    }
}

impl FileEngine {
    /// Returns a snapshot of the last commit, and the generation of the opening.
    fn begin_read(&self) -> (u64, Result<Arc<Records>, Failure>) {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let records = match &open.database {
            Some(database) => open.latest.get(|| {
                let transaction = database.begin_read().map_err(Failure::from)?;
                transaction.open_table(RECORDS).map_err(Failure::from)
            }),
            None if open.closed => Err(Failure::closed()),
            None => Err(Failure::stale()),
        };
        (open.generation, records)
    }

    fn begin_write(&self) -> Result<::redb::WriteTransaction, Failure> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        match &open.database {
            Some(_) if open.attachment.is_trial() => Err(Failure::stale()),
            Some(database) => database.begin_write().map_err(Failure::from),
            None if open.closed => Err(Failure::closed()),
            None => Err(Failure::stale()),
        }
    }

    /// Releases the shared snapshot. Later reads take a new one.
    fn let_view_go(&self) {
        self.open.read().unwrap_or_else(PoisonError::into_inner).latest.pass();
    }

    fn generation(&self) -> u64 {
        self.open.read().unwrap_or_else(PoisonError::into_inner).generation
    }
}

impl Abandon for FileEngine {
    fn abandon(&self) -> Result<(), StorageFault> {
        self.close_with(false, None, || Ok(()))
    }
}

impl Engine for FileEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        let (generation, begun) = self.begin_read();
        match begun {
            Ok(records) => {
                let snapshot = Snapshot::new(&records);
                work(&snapshot);
                if !snapshot.is_stale() {
                    return Ok(());
                }
            }
            Err(failure) if failure.is_stale() => {}
            Err(failure) => return Err(failure.into_fault()),
        }
        // The disk failed during the read: retry on the reopened file.
        let reopened = {
            let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            self.reopen(generation)
        };
        let (_, begun) = self.begin_read();
        // The reason of the failed reopening is more informative than the fact that the file is closed.
        let records = begun.map_err(|failure| reopened.err().unwrap_or(failure.into_fault()))?;
        work(&Snapshot::new(&records));
        Ok(())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        self.write_with(None, &mut |transaction| work(transaction))
    }

    fn recover(&self) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.reopen(self.generation())
    }

    fn reopenings(&self) -> u64 {
        self.generation()
    }

    fn read_around(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<bool, StorageFault> {
        Ok(self.around(|around| work(&Reporting { read: &around, around })).is_some())
    }

    fn compact(&self) -> Result<(), StorageFault> {
        self.give_space_back()
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.disk.len().map_err(fault::io)
    }

    fn damaged_pages(&self) -> usize {
        self.guard.pages().damage_count()
    }

    fn page_scrub(&self) -> Option<Box<dyn PageScrub>> {
        let scrub = || Box::new(FileScrub::new(Arc::clone(&self.guard))) as Box<dyn PageScrub>;
        self.guard.pages().are_summed().then(scrub)
    }

    fn is_closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).closed
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.close_with(true, None, || Ok(()))
    }
}

impl FileEngine {
    /// Rejects writes after damage of a page was found.
    pub(crate) fn check_writable(&self) -> Result<(), StorageFault> {
        self.guard.pages().check_writable()
    }

    /// Writes like [`Engine::write`]. A commit also stores the position of the log, if it is given.
    fn write_with(
        &self,
        applied: Option<Applied>,
        work: &mut dyn FnMut(&mut Transaction<'_>) -> Verdict,
    ) -> Result<(), StorageFault> {
        self.check_writable()?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.generation();
        // Without readers, the pages of the commit before the last one can be reused.
        self.let_view_go();
        let transaction = match self.begin_write() {
            Err(failure) if failure.is_stale() => {
                self.reopen(generation)?;
                self.begin_write()
            }
            begun => begun,
        }
        .map_err(Failure::into_fault)?;
        let generation = self.generation();
        let ended = run(transaction, applied, work);
        self.let_view_go();
        ended.map_err(|failure| {
            // Immediately, so that reads continue. If this fails too, the next call retries and reports the reason.
            let _ = self.reopen(generation);
            failure.into_fault()
        })
    }

    /// Closes the engine. Marks the file as closed only if `complete` is true and no operation failed, and then calls
    /// `marked`, which may delete the log `log`, before the disk is released.
    pub(crate) fn close_with(
        &self,
        complete: bool,
        log: Option<LogId>,
        marked: impl FnOnce() -> std::io::Result<()>,
    ) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if open.closed {
            return Ok(());
        }
        open.closed = true;
        open.latest.pass();
        // redb cannot report errors here; the attachment has recorded them.
        let database = open.database.take();
        let was_open = database.is_some() && !open.attachment.is_trial();
        let is_damaged = self.check_writable().is_err();
        if is_damaged {
            // The close of redb writes.
            open.attachment.detach();
        }
        match database {
            // redb commits when it is dropped, and pages may be damaged.
            Some(database) if !was_open || is_damaged => opening::discard(database),
            database => drop(database),
        }
        let sound = self.check_writable().is_ok();
        let clean = open.attachment.detach() && was_open && complete && sound;
        let mark = |last| {
            let done = head::mark_closed(&*self.disk, &self.guard, last).and_then(|()| marked());
            done.map_err(fault::io)
        };
        let marked = match log {
            _ if !clean => Ok(()),
            Some(log) => mark(Some(log)),
            // The deletion of an earlier log may not be durable.
            None => self.last_log().and_then(mark),
        };
        let released = self.disk.close().map_err(fault::io);
        marked.and(released)
    }
}

fn run(
    mut transaction: ::redb::WriteTransaction,
    applied: Option<Applied>,
    work: &mut dyn FnMut(&mut Transaction<'_>) -> Verdict,
) -> Result<(), Failure> {
    let mut writing = Transaction::new(transaction.open_table(RECORDS)?);
    let verdict = work(&mut writing);
    drop(writing);
    if let (Some(applied), Verdict::Commit(_)) = (applied, verdict) {
        applied.write(&transaction)?;
    }
    match verdict {
        Verdict::Commit(Persist::Now) => transaction.set_quick_repair(true),
        Verdict::Commit(Persist::Later) => transaction.set_durability(Durability::None)?,
        Verdict::Discard => return Ok(transaction.abort()?),
    }
    Ok(transaction.commit()?)
}
