//! The engine in the file: one redb table for all records, behind a head of ours that guards its header.

mod backend;
mod examination;
mod fault;
mod guard;
mod head;
mod latest;
mod sector;
mod transaction;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use ::redb::{Builder, Database, Durability, ReadOnlyTable, ReadableDatabase, TableDefinition};

use self::{
    backend::{Attachment, Backend},
    fault::Failure,
    guard::{Guard, Header},
    head::HeadState,
    latest::Latest,
    transaction::{Snapshot, Transaction},
};
use super::{Engine, Persist, Read, Verdict, Write, panic_text};
use crate::{
    StorageFault,
    embedded::{disk::Disk, refusal::Refusal},
};

/// Every record of the store, keyed by table id and what follows it.
const RECORDS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("records");

type Records = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// redb on a [`Disk`].
///
/// After an error of the disk redb refuses all further work until it is opened anew; the engine does so by itself. If
/// the disk cannot be written even for that, the recovery stays in memory: reads go on, and each write tries again.
#[derive(Debug)]
pub(in crate::embedded) struct RedbEngine {
    disk: Arc<dyn Disk>,
    guard: Arc<Guard>,
    cache_bytes: usize,
    open: RwLock<Open>,
    /// Held while a transaction writes or the file is opened again: never both.
    writing: Mutex<()>,
    /// Whether the file may be changed: not before it was admitted.
    admitted: AtomicBool,
}

#[derive(Debug)]
struct Open {
    database: Option<Database>,
    attachment: Arc<Attachment>,
    /// How often the file was opened: tells who saw a failure whether someone has opened it again since.
    generation: u64,
    latest: Latest,
    closed: bool,
}

/// A file that was refused after redb had opened it: redb ends with a commit (to a trial, so the file stays as it was),
/// and may panic over pages that it never verified. What is wrong has been told.
impl Drop for Open {
    fn drop(&mut self) {
        let database = self.database.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
    }
}

impl RedbEngine {
    /// Makes an empty store on an empty disk.
    pub(in crate::embedded) fn create(disk: Arc<dyn Disk>, cache_bytes: usize) -> Result<Self, StorageFault> {
        head::create(&*disk).map_err(fault::io)?;
        let guard = Arc::new(Guard::of_new(Arc::clone(&disk)));
        let attachment = Arc::new(Attachment::new(Arc::clone(&disk), Arc::clone(&guard)));
        let database = start(cache_bytes, &attachment).map_err(Failure::into_fault)?;
        let engine = Self::running(disk, guard, cache_bytes, database, attachment);
        engine.admitted.store(true, Ordering::Release);
        Ok(engine)
    }

    /// Opens what is on the disk, and changes nothing there until [`RedbEngine::admit`] is called. The whole of it is
    /// verified if it has at most `verify_up_to` bytes.
    pub(in crate::embedded) fn open(
        disk: Arc<dyn Disk>,
        cache_bytes: usize,
        verify_up_to: u64,
    ) -> Result<Self, Refusal> {
        let state = head::read(&*disk)?;
        let (guard, header) = Guard::of_existing(Arc::clone(&disk), state)?;
        let guard = Arc::new(guard);
        let len = disk.len().map_err(fault::io)?;
        let attachment = Attachment::on_trial(Arc::clone(&disk), Arc::clone(&guard), header.as_ref());
        let attachment = Arc::new(attachment.map_err(fault::io)?);
        let started = catch_unwind(AssertUnwindSafe(|| {
            let mut database = start(cache_bytes, &attachment)?;
            if len <= verify_up_to && !database.check_integrity().map_err(Failure::from)? {
                return Err(Failure::damaged("the pages do not match their checksums"));
            }
            Ok(database)
        }));
        match started {
            Ok(Ok(database)) => Ok(Self::running(disk, guard, cache_bytes, database, attachment)),
            Ok(Err(failure)) => Err(failure.into_refusal()),
            Err(panic) => Err(Refusal::Damaged(format!("opening it failed: {}", panic_text(&*panic)))),
        }
    }

    fn running(
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

    /// Ends the trial that [`RedbEngine::open`] began: from now on the file is written.
    pub(in crate::embedded) fn admit(&self) -> Result<(), StorageFault> {
        HeadState::Open.write(&*self.disk).map_err(fault::io)?;
        self.guard.sync().map_err(fault::io)?;
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        self.admitted.store(true, Ordering::Release);
        open.attachment.admit().map_err(fault::io)
    }

    /// A view of the last commit, and which opening of the file it is from.
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

    /// Opens the file again unless that was done since `generation`. The caller holds `writing`. After an error it may
    /// be open for reads.
    fn reopen(&self, generation: u64) -> Result<(), StorageFault> {
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
        if self.admitted.load(Ordering::Acquire) {
            match self.start_settled(&mut open, &header) {
                Ok(()) => return Ok(()),
                Err(error) => failure = Some(error.into_fault()),
            }
        }
        let trial = Attachment::on_trial(Arc::clone(&self.disk), Arc::clone(&self.guard), Some(&header));
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

    /// Starts for writes. A header that was not written whole must not be read, nor one that may not be on the disk be
    /// built upon, so it is written anew first.
    fn start_settled(&self, open: &mut Open, header: &Header) -> Result<(), Failure> {
        open.attachment = Arc::new(Attachment::new(Arc::clone(&self.disk), Arc::clone(&self.guard)));
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

    fn begin_write(&self) -> Result<::redb::WriteTransaction, Failure> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        match &open.database {
            Some(_) if open.attachment.is_trial() => Err(Failure::stale()),
            Some(database) => database.begin_write().map_err(Failure::from),
            None if open.closed => Err(Failure::closed()),
            None => Err(Failure::stale()),
        }
    }

    /// Later reads take a view of their own.
    fn let_view_go(&self) {
        self.open.read().unwrap_or_else(PoisonError::into_inner).latest.pass();
    }

    fn generation(&self) -> u64 {
        self.open.read().unwrap_or_else(PoisonError::into_inner).generation
    }
}

/// Opens or creates the database behind an attachment. Its table exists afterwards.
fn start(cache_bytes: usize, attachment: &Arc<Attachment>) -> Result<Database, Failure> {
    let backend = Backend::new(Arc::clone(attachment));
    let database = Builder::new().set_cache_size(cache_bytes).create_with_backend(backend)?;
    let missing = match database.begin_read()?.open_table(RECORDS) {
        Ok(_) => false,
        Err(::redb::TableError::TableDoesNotExist(_)) => true,
        Err(error) => return Err(error.into()),
    };
    if missing {
        let mut transaction = database.begin_write()?;
        transaction.set_quick_repair(true);
        drop(transaction.open_table(RECORDS)?);
        transaction.commit()?;
    }
    Ok(database)
}

impl Engine for RedbEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        let (generation, begun) = self.begin_read();
        match begun {
            Ok(records) => {
                let snapshot = Snapshot::new(records);
                work(&snapshot);
                if !snapshot.is_stale() {
                    return Ok(());
                }
            }
            Err(failure) if failure.is_stale() => {}
            Err(failure) => return Err(failure.into_fault()),
        }
        // The disk failed under somebody; once more on the file opened anew.
        let reopened = {
            let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            self.reopen(generation)
        };
        let (_, begun) = self.begin_read();
        // Why it could not be opened tells more than that it is not open.
        let records = begun.map_err(|failure| reopened.err().unwrap_or(failure.into_fault()))?;
        work(&Snapshot::new(records));
        Ok(())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.generation();
        // Nobody may be reading: then the pages of the last commit but one can be used again.
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
        let ended = run(transaction, work);
        self.let_view_go();
        ended.map_err(|failure| {
            // At once, so that reads go on; if it fails too, the next call tries again and tells why.
            let _ = self.reopen(generation);
            failure.into_fault()
        })
    }

    fn recover(&self) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.reopen(self.generation())
    }

    fn reopenings(&self) -> u64 {
        self.generation()
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.disk.len().map_err(fault::io)
    }

    fn is_closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).closed
    }

    fn close(&self) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if open.closed {
            return Ok(());
        }
        open.closed = true;
        open.latest.pass();
        // redb cannot report errors here: the attachment has seen them.
        let database = open.database.take();
        let was_open = database.is_some() && !open.attachment.is_trial();
        drop(database);
        let clean = open.attachment.detach() && was_open;
        let marked = if clean { head::mark_closed(&*self.disk, &self.guard) } else { Ok(()) };
        let released = self.disk.close();
        marked.and(released).map_err(fault::io)
    }
}

fn run(
    mut transaction: ::redb::WriteTransaction,
    work: &mut dyn FnMut(&mut dyn Write) -> Verdict,
) -> Result<(), Failure> {
    let mut writing = Transaction::new(transaction.open_table(RECORDS)?);
    let verdict = work(&mut writing);
    drop(writing);
    match verdict {
        Verdict::Commit(Persist::Now) => transaction.set_quick_repair(true),
        Verdict::Commit(Persist::Later) => transaction.set_durability(Durability::None)?,
        Verdict::Discard => return Ok(transaction.abort()?),
    }
    Ok(transaction.commit()?)
}
