//! Opening of the engine on a disk, initially and after a disk error.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use ::redb::{Builder, Database, ReadableDatabase, TableError};

use table_model::StorageFault;

use super::{
    FileEngine, Open, RECORDS,
    backend::{Attachment, Backend},
    fault::{self, Failure},
    guard::{Guard, Header},
    head::{self, HeadState, LogId, LogUse},
    latest::Latest,
};
use crate::{disk::Disk, engine::panic_text, refusal::Refusal};

/// Maximum size of files without sums that are verified completely when they are opened.
const VERIFIED_BYTES: u64 = 16 << 20;

impl FileEngine {
    /// Returns the state of a file, and whether it is intact. A damaged state counts as open without a log.
    pub(crate) fn state(disk: &dyn Disk) -> Result<(HeadState, bool), Refusal> {
        Ok((head::read(disk)?, head::is_state_sealed(disk)?))
    }

    /// Creates an empty store on an empty disk, with or without checksums of pages.
    pub(crate) fn create(
        disk: Arc<dyn Disk>,
        cache_bytes: usize,
        summed: bool,
    ) -> Result<Self, StorageFault> {
        head::create(&*disk, summed).map_err(fault::io)?;
        let guard = Arc::new(Guard::of_new(Arc::clone(&disk), summed));
        let attachment = Arc::new(Attachment::new(Arc::clone(&guard)));
        let database = make(cache_bytes, &attachment).map_err(Failure::into_fault)?;
        let engine = Self::running(disk, guard, cache_bytes, database, attachment);
        engine.admitted.store(true, Ordering::Release);
        Ok(engine)
    }

    /// Opens the content of the disk without changing it before [`FileEngine::admit`] is called. Verifies all pages if
    /// the size is at most `verify_up_to` bytes; by default, if it is small and its pages are not verified when they are
    /// read.
    pub(crate) fn open(
        disk: Arc<dyn Disk>,
        cache_bytes: usize,
        verify_up_to: Option<u64>,
    ) -> Result<Self, Refusal> {
        let state = head::read(&*disk)?;
        let summed = head::is_summed(&*disk)?;
        let (guard, header) = Guard::of_existing(Arc::clone(&disk), state, summed)?;
        let guard = Arc::new(guard);
        guard.check_len()?;
        let len = disk.len().map_err(fault::io)?;
        let verify_up_to = verify_up_to.unwrap_or(if summed { 0 } else { VERIFIED_BYTES });
        let attachment = Attachment::on_trial(Arc::clone(&guard), header.as_ref());
        let attachment = Arc::new(attachment.map_err(fault::io)?);
        let started = catch_unwind(AssertUnwindSafe(|| {
            let mut database = start(cache_bytes, &attachment)?;
            let checked = if len <= verify_up_to { database.check_integrity() } else { Ok(true) };
            let failure = match checked {
                Ok(true) => return Ok(database),
                Ok(false) => Failure::damaged("the pages do not match their checksums"),
                Err(error) => error.into(),
            };
            discard(database);
            Err(failure)
        }));
        match started {
            Ok(Ok(database)) => Ok(Self::running(disk, guard, cache_bytes, database, attachment)),
            // After damage of a page, redb can return an error without its cause.
            Ok(Err(failure)) => Err(guard.pages().damage().map_or(failure.into_refusal(), Refusal::Damaged)),
            Err(panic) => Err(Refusal::Damaged(format!("opening failed: {}", panic_text(&*panic)))),
        }
    }

    pub(super) fn running(
        disk: Arc<dyn Disk>,
        guard: Arc<Guard>,
        cache_bytes: usize,
        database: Database,
        attachment: Arc<Attachment>,
    ) -> Self {
        let open = Open {
            database: Some(database),
            attachment,
            generation: 0,
            latest: Latest::default(),
            closed: false,
        };
        Self {
            disk,
            guard,
            cache_bytes,
            open: RwLock::new(open),
            writing: Mutex::new(()),
            admitted: AtomicBool::new(false),
        }
    }

    /// Ends the trial mode of [`FileEngine::open`]: from now on the file is written. The state names the log that is in
    /// use, or the last one. If the disk is full, the file may be open for reads only.
    pub(crate) fn admit(&self, log: Option<LogId>) -> Result<(), StorageFault> {
        head::repair_identity(&*self.disk, &self.guard)?;
        let log = log.map_or_else(|| Ok(LogUse::Unused(self.last_log()?)), |log| Ok(LogUse::Used(log)))?;
        head::mark_open(&*self.disk, &self.guard, log).map_err(fault::io)?;
        self.admitted.store(true, Ordering::Release);
        let generation = self.generation();
        let admitted = {
            let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
            open.attachment.admit().map_err(fault::io)
        };
        if !matches!(admitted, Err(StorageFault::DiskFull { .. })) {
            return admitted;
        }
        // Reads are possible, and each write tries this again.
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        match self.reopen(generation) {
            Err(StorageFault::DiskFull { .. }) if self.pin().is_ok() => Ok(()),
            reopened => reopened,
        }
    }

    /// Returns the last log of the store, if none is in use.
    pub(super) fn last_log(&self) -> Result<Option<LogId>, StorageFault> {
        head::read(&*self.disk).map(HeadState::last_log).map_err(Refusal::into_fault)
    }

    /// Reopens the file unless it was reopened since `generation`. The caller must hold `writing`. After an error the
    /// file may be open for reads only.
    pub(super) fn reopen(&self, generation: u64) -> Result<(), StorageFault> {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if open.closed {
            return Err(StorageFault::Closed);
        }
        if open.generation != generation && open.database.is_some() {
            return Ok(());
        }
        open.attachment.detach();
        open.latest.pass();
        drop(open.database.take());
        open.generation += 1;
        let header = self.guard.after_error().map_err(Refusal::into_fault)?;
        let mut failure = None;
        // After damage, the file is only read.
        if self.admitted.load(Ordering::Acquire) && self.check_writable().is_ok() {
            match self.start_settled(&mut open, &header) {
                Ok(()) => return Ok(()),
                Err(error) => failure = Some(error.into_fault()),
            }
        }
        let trial = Attachment::on_trial(Arc::clone(&self.guard), Some(&header));
        open.attachment = Arc::new(trial.map_err(fault::io)?);
        match (start(self.cache_bytes, &open.attachment), failure) {
            (Ok(database), failure) => {
                open.database = Some(database);
                failure.map_or(Ok(()), Err)
            }
            (Err(_), Some(failure)) => Err(failure),
            (Err(failure), None) => Err(failure.into_fault()),
        }
    }

    /// Opens the database for writing. First writes the header again, because an incomplete header must not be read,
    /// and an unsynced header must not be the base of further writes.
    fn start_settled(&self, open: &mut Open, header: &Header) -> Result<(), Failure> {
        open.attachment = Arc::new(Attachment::new(Arc::clone(&self.guard)));
        let started = self.guard.write(header).and_then(|()| self.guard.sync()).map_err(fault::io);
        match started.map_err(Failure::from).and_then(|()| start(self.cache_bytes, &open.attachment)) {
            Ok(database) => {
                open.database = Some(database);
                Ok(())
            }
            Err(failure) => {
                open.attachment.detach();
                Err(failure)
            }
        }
    }
}

/// Creates the database with its table behind an attachment.
fn make(cache_bytes: usize, attachment: &Arc<Attachment>) -> Result<Database, Failure> {
    let database = database(cache_bytes, attachment)?;
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    drop(transaction.open_table(RECORDS)?);
    transaction.commit()?;
    Ok(database)
}

/// Opens the database behind an attachment. Its table must exist: a commit that creates the table would use unverified
/// pages, and redb aborts the process on some kinds of damage.
pub(super) fn start(cache_bytes: usize, attachment: &Arc<Attachment>) -> Result<Database, Failure> {
    let database = database(cache_bytes, attachment)?;
    let table = database.begin_read().map_err(Failure::from).map(|read| read.open_table(RECORDS));
    let failure = match table {
        Ok(Ok(_)) => return Ok(database),
        Ok(Err(TableError::TableDoesNotExist(_))) => {
            Failure::damaged("the engine's table of records is missing")
        }
        Ok(Err(error)) => error.into(),
        Err(failure) => failure,
    };
    discard(database);
    Err(failure)
}

/// Drops the database of a rejected file. When dropped, redb makes a commit, which on some kinds of damage aborts the
/// process by a second panic. redb skips this commit in a thread that is unwinding.
pub(super) fn discard(database: Database) {
    let unwind = AssertUnwindSafe(move || {
        let _discarded = database;
        if cfg!(panic = "unwind") {
            resume_unwind(Box::new("the database was rejected"));
        }
    });
    let _ = catch_unwind(unwind);
}

fn database(cache_bytes: usize, attachment: &Arc<Attachment>) -> Result<Database, Failure> {
    let backend = Backend::new(Arc::clone(attachment));
    Ok(Builder::new().set_cache_size(cache_bytes).create_with_backend(backend)?)
}
