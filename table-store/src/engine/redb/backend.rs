//! Storage backend of redb: the disk after the head, with a protected header and an initial trial mode.

use std::{
    io,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use ::redb::StorageBackend;

use super::{
    guard::{Guard, Header},
    sector::BLOCK_BYTES,
};

const FIRST_PAGE: u64 = BLOCK_BYTES as u64;

/// One opening of the engine on a disk.
#[derive(Debug)]
pub(super) struct Attachment {
    guard: Arc<Guard>,
    /// Deferred changes while the file is in trial mode.
    trial: RwLock<Option<Trial>>,
    detached: AtomicBool,
    failed: AtomicBool,
}

/// Changes that are deferred until the file is verified as a sound store.
#[derive(Debug)]
struct Trial {
    len: u64,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Sync,
}

impl Attachment {
    pub(super) fn new(guard: Arc<Guard>) -> Self {
        let (detached, failed) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { guard, trial: RwLock::new(None), detached, failed }
    }

    /// Creates an attachment that does not change the disk before [`Attachment::admit`]. If `header` is given, its
    /// first change is to write and sync this header.
    pub(super) fn on_trial(guard: Arc<Guard>, header: Option<&Header>) -> io::Result<Self> {
        let len = guard.pages().len()?;
        let steps = header.map(|header| [Step::Write(0, header.to_vec()), Step::Sync]);
        let attachment = Self::new(guard);
        *attachment.trial.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Trial { len, steps: steps.into_iter().flatten().collect() });
        Ok(attachment)
    }

    /// Ends the trial mode and executes the deferred changes in order. If this fails, the engine is detached, because
    /// it must not write on top of missing changes.
    pub(super) fn admit(&self) -> io::Result<()> {
        let mut trial = self.trial.write().unwrap_or_else(PoisonError::into_inner);
        let mut steps = trial.take().into_iter().flat_map(|trial| trial.steps);
        let done = steps.try_for_each(|step| match step {
            Step::Write(offset, bytes) => self.put(offset, &bytes),
            Step::SetLen(len) => self.guard.pages().set_len(len),
            Step::Sync => self.guard.sync(),
        });
        if done.is_err() {
            self.detach();
        }
        done
    }

    /// Returns whether changes are deferred.
    pub(super) fn is_trial(&self) -> bool {
        self.trial.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Detaches the engine from the disk. Returns whether all its operations have succeeded.
    pub(super) fn detach(&self) -> bool {
        self.detached.store(true, Ordering::Release);
        !self.failed.load(Ordering::Acquire)
    }

    /// Writes to the disk. The first page of the engine contains its header and belongs to the guard.
    fn put(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match offset {
            0 => self.guard.write(bytes),
            1..FIRST_PAGE => Err(io::Error::other("the engine writes to the page of its header")),
            _ => self.guard.pages().write(offset, bytes),
        }
    }

    fn get(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        if offset == 0 { self.guard.read(into) } else { self.guard.pages().read(offset, into) }
    }

    fn noting<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        if outcome.is_err() {
            self.failed.store(true, Ordering::Release);
        }
        outcome
    }

    /// Executes `now` on the disk, or `held` in trial mode.
    fn apply(&self, held: impl FnOnce(&mut Trial), now: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.detached.load(Ordering::Acquire) {
            return Err(io::Error::other("the engine was detached from its file"));
        }
        let trial = self.trial.read().unwrap_or_else(PoisonError::into_inner);
        if trial.is_none() {
            drop(trial);
            return self.noting(now());
        }
        drop(trial);
        if let Some(trial) = self.trial.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
            held(trial);
        }
        Ok(())
    }
}

impl Trial {
    /// Reads with the deferred changes applied.
    fn read(&self, attachment: &Attachment, offset: u64, into: &mut [u8]) -> io::Result<()> {
        if offset.saturating_add(into.len() as u64) > self.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        into.fill(0);
        let on_disk = attachment.guard.pages().len()?.saturating_sub(offset);
        let (begin, _) = into.split_at_mut(usize::try_from(on_disk).unwrap_or(usize::MAX).min(into.len()));
        // What is replaced completely need not be sound: a page that was free, or the header.
        if !begin.is_empty() && !self.replaces(offset, begin.len()) {
            attachment.get(offset, begin)?;
        }
        for step in &self.steps {
            match step {
                Step::Write(at, bytes) => overlay(offset, into, *at, bytes),
                Step::SetLen(len) => {
                    let kept = usize::try_from(len.saturating_sub(offset)).unwrap_or(usize::MAX);
                    into.get_mut(kept..).unwrap_or_default().fill(0);
                }
                Step::Sync => {}
            }
        }
        Ok(())
    }
}

impl Trial {
    fn replaces(&self, offset: u64, len: usize) -> bool {
        let covers =
            |step: &Step| matches!(step, Step::Write(at, bytes) if *at == offset && bytes.len() >= len);
        self.steps.iter().any(covers)
    }
}

/// Copies the overlap of `bytes` at `from` with `into` at `offset`.
fn overlay(offset: u64, into: &mut [u8], from: u64, bytes: &[u8]) {
    let skip_into = usize::try_from(from.saturating_sub(offset)).unwrap_or(usize::MAX);
    let skip_bytes = usize::try_from(offset.saturating_sub(from)).unwrap_or(usize::MAX);
    let into = into.get_mut(skip_into..).unwrap_or_default();
    let bytes = bytes.get(skip_bytes..).unwrap_or_default();
    for (place, byte) in into.iter_mut().zip(bytes) {
        *place = *byte;
    }
}

/// Handle passed to redb: the attachment, shared with the engine.
#[derive(Debug)]
pub(super) struct Backend(Arc<Attachment>);

impl Backend {
    pub(super) fn new(attachment: Arc<Attachment>) -> Self {
        Self(attachment)
    }
}

impl StorageBackend for Backend {
    fn len(&self) -> io::Result<u64> {
        if let Some(trial) = self.0.trial.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
            return Ok(trial.len);
        }
        self.0.noting(self.0.guard.pages().len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if let Some(trial) = self.0.trial.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
            return trial.read(&self.0, offset, out);
        }
        self.0.noting(self.0.get(offset, out))
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0
            .apply(|trial| trial.steps.push(Step::Write(offset, data.to_vec())), || self.0.put(offset, data))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let held = |trial: &mut Trial| {
            trial.len = len;
            trial.steps.push(Step::SetLen(len));
        };
        self.0.apply(held, || self.0.guard.pages().set_len(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.apply(|trial| trial.steps.push(Step::Sync), || self.0.guard.sync())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Disk, MemoryDisk,
        engine::redb::guard::{HEADER_BYTES, behind},
    };

    /// Reads in trial mode return the same bytes as after admission.
    #[test]
    fn a_trial_reads_like_the_disk_it_becomes() {
        const AT: u64 = FIRST_PAGE;
        let size = usize::try_from(behind(AT + 40)).unwrap();
        let disk = MemoryDisk::with_bytes((0..=250).cycle().take(size).collect());
        let before = disk.bytes();
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let guard = Arc::new(Guard::of_new(shared, false));
        let header = Some([7; HEADER_BYTES]);
        let attachment = Arc::new(Attachment::on_trial(guard, header.as_ref()).unwrap());
        let backend = Backend::new(Arc::clone(&attachment));
        backend.write(AT + 3, &[1, 2, 3, 4]).unwrap();
        backend.set_len(AT + 20).unwrap();
        backend.set_len(AT + 60).unwrap();
        backend.write(AT + 5, &[9; 10]).unwrap();
        backend.write(AT + 50, &[7; 10]).unwrap();
        backend.sync_data().unwrap();
        assert!(backend.read(AT + 55, &mut [0; 6]).is_err());
        let read = |offset: u64, count: usize| {
            let mut bytes = vec![0xff; count];
            backend.read(offset, &mut bytes).unwrap();
            bytes
        };
        let parts: Vec<_> = (0..60).flat_map(|at| [1, 7, 20].map(|count| (at, count))).collect();
        let fits = |&&(at, count): &&(u64, usize)| at + count as u64 <= 60;
        let all = || {
            let parts = parts.iter().filter(fits).map(|&(at, count)| read(AT + at, count));
            parts.chain([read(0, HEADER_BYTES)]).collect::<Vec<_>>()
        };
        let on_trial = all();
        assert_eq!(disk.bytes(), before, "nothing was changed");

        attachment.admit().unwrap();
        assert_eq!(on_trial, all());
        assert!(attachment.detach());
        assert!(backend.write(0, &[0; HEADER_BYTES]).is_err(), "a detached engine cannot write");
    }
}
