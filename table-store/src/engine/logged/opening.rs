//! Opening of the log together with the file.

use std::sync::Arc;

use table_model::StorageFault;

use super::{
    LoggedEngine, Settings, Shared,
    layer::Layer,
    lock,
    log::{self, Log},
    recovery::{self, Recovered, Unsure},
    sync::{AtomicU64, Mutex, RwLock},
    view::{Frozen, Layers},
    worker::{Wake, Worker},
    writer::Writer,
};
use crate::{
    Damage, Random,
    disk::Disk,
    engine::{Applied, FileEngine, HeadState, LogUse, Pinned, io_fault},
    refusal::Refusal,
};

/// A log with frames that the file does not contain.
pub(super) type Found = Option<Recovered>;

impl LoggedEngine {
    /// Puts a log in front of a new file.
    pub(crate) fn new(
        file: FileEngine,
        disk: Arc<dyn Disk>,
        random: Arc<dyn Random>,
        settings: Settings,
    ) -> Result<Self, StorageFault> {
        let base = file.pin()?;
        Self::over(file, base, None, disk, random, settings)
    }

    /// Opens a file and its log, without changing them before [`LoggedEngine::admit`] is called.
    pub(crate) fn open(
        file: FileEngine,
        disk: Arc<dyn Disk>,
        random: Arc<dyn Random>,
        settings: Settings,
    ) -> Result<Self, Refusal> {
        let base = file.pin()?;
        let found = find(&*disk, base.applied)?;
        if let Some(what) = found.as_ref().and_then(|found| found.damage.clone()) {
            return Err(Refusal::BadLog(what));
        }
        Ok(Self::over(file, base, found, disk, random, settings)?)
    }

    /// Opens a file that is only read, and its log up to the first damage.
    pub(crate) fn examine(
        file: FileEngine,
        disk: Arc<dyn Disk>,
        random: Arc<dyn Random>,
    ) -> Result<(Self, Option<Damage>), Refusal> {
        let base = file.pin()?;
        let (found, damage) = match find(&*disk, base.applied) {
            Ok(found) => {
                let damage = found.as_ref().and_then(|found| found.damage.clone());
                (found, damage.map(Damage::of_log))
            }
            // The damaged head of the file, which is reported already.
            Err(Refusal::Damaged(_)) => (None, None),
            Err(Refusal::BadLog(what)) => (None, Some(Damage::of_log(what))),
            Err(Refusal::NoLog(what)) => (None, Some(Damage::of_log(format!("it {what}")))),
            // Another file, which is neither read nor deleted.
            Err(Refusal::StrayLog(what)) => {
                (None, Some(Damage::of_log(format!("the file with its name {what}; move it"))))
            }
            Err(refusal) => return Err(refusal),
        };
        Ok((Self::over(file, base, found, disk, random, Settings::default())?, damage))
    }

    fn over(
        file: FileEngine,
        base: Pinned,
        found: Found,
        disk: Arc<dyn Disk>,
        random: Arc<dyn Random>,
        settings: Settings,
    ) -> Result<Self, StorageFault> {
        let opening = base.applied.opening.saturating_add(1);
        let mut writer = Writer::new(Applied { opening, ..base.applied }, settings.half_bytes);
        let (mut frozen, mut unsure) = (None, None);
        if let Some((found, log)) = found.zip(disk.log()) {
            let log = Log::existing(log, found.head, base.applied.head, found.end).map_err(io_fault)?;
            writer.log = Some(log);
            writer.last = Applied { opening: found.opening.saturating_add(1), ..found.last };
            writer.synced = found.unsure.follows.sequence;
            writer.announced = found.unsure.announced;
            frozen = found.frozen.map(Arc::new);
            unsure = Some(found.unsure);
        }
        let layers = Layers { active: Arc::new(Layer::new()), frozen, base: Arc::new(base) };
        let shared = Shared {
            file,
            disk,
            settings,
            random,
            writer: Mutex::new(writer),
            checkpoint: Mutex::new(()),
            layers: RwLock::new(Some(Arc::new(layers))),
            doubts: AtomicU64::new(0),
            waits: AtomicU64::new(0),
            wake: Wake::default(),
        };
        Ok(Self { shared: Arc::new(shared), worker: Worker::default(), unsure: Mutex::new(unsure) })
    }

    /// Enables writes. The recovered frames that may not be on stable storage are first written again, at another place:
    /// a write at the same place could destroy frames that are on stable storage.
    pub(crate) fn admit(&self) -> Result<(), StorageFault> {
        let shared = &*self.shared;
        let mut writer = lock(&shared.writer);
        let Some(log) = &writer.log else {
            // The log of an earlier use, or of another store. Deleted before the state is written: a damaged state would
            // leave open to which store it belongs.
            if let Some(log) = shared.disk.log()
                && log.len().map_err(io_fault)? != 0
            {
                log.set_len(0).and_then(|()| log.sync()).map_err(io_fault)?;
            }
            shared.file.admit(None)?;
            writer.doubtful = !shared.file.is_writable();
            return Ok(());
        };
        let unsure = lock(&self.unsure).take();
        if let Some(unsure) = &unsure {
            // Before the frame that announced their number is overwritten.
            log.refill(&unsure.incomplete).map_err(io_fault)?;
        }
        shared.file.admit(Some(log.id))?;
        writer.named = true;
        // A copy of the log from before this opening is older than the next commit to the file.
        writer.renumber();
        // Until all recovered frames are on stable storage, no frame may follow them.
        let is_writable = shared.file.is_writable();
        writer.doubtful = !shared.layers()?.are_empty() || !is_writable;
        if let Some(unsure) = unsure.filter(|_| writer.doubtful && is_writable)
            && shared.keep_recovered(&mut writer, &unsure)?
        {
            writer.doubtful = false;
            self.worker.start(&self.shared);
            shared.wake.frozen();
            return Ok(());
        }
        match shared.empty(&mut writer) {
            // Reads are possible, and each write retries.
            Err(StorageFault::DiskFull { .. }) => Ok(()),
            emptied => emptied,
        }
    }

    /// Returns the number of the last commit.
    pub(crate) fn last(&self) -> u64 {
        lock(&self.shared.writer).last.sequence
    }

    /// Checks every page of the file that is only read.
    pub(crate) fn check_pages(self) -> Option<Damage> {
        self.shared.set_layers(None);
        self.shared.file.check_pages()
    }
}

impl Shared {
    /// Writes the unsure frames again as one frame, which is the first of the active layer. Returns `false` if that frame
    /// would be too large, or cannot be written.
    fn keep_recovered(&self, writer: &mut Writer, unsure: &Unsure) -> Result<bool, StorageFault> {
        let _checkpoint = lock(&self.checkpoint);
        let layers = self.layers()?;
        let Some(frozen) = layers.frozen.as_deref() else { return Ok(false) };
        let changes = &unsure.changes;
        writer.fit_to(self.file.allocated()?);
        if changes.bytes() > self.settings.frame_bytes || frozen.end > writer.end() {
            return Ok(false);
        }
        writer.leave(frozen);
        // Only a frame on stable storage can announce more blocks.
        let written = writer.unsynced_with(changes) <= writer.announced
            // On a full disk, also in the part for removals.
            && writer.fits(changes, Some(frozen), true)
            && writer.reserve(changes, false).or_else(|_| writer.reserve(changes, true)).is_ok()
            && writer.repeat(unsure.follows, changes).is_ok();
        if written {
            // Later frames follow the frame that replaces the unsure ones.
            let frozen = Frozen { layer: Arc::clone(&frozen.layer), last: writer.last, ..*frozen };
            self.set_layers(Some(Layers { frozen: Some(Arc::new(frozen)), ..(*layers).clone() }));
        }
        Ok(written)
    }
}

/// Finds the frames that the file does not contain.
pub(super) fn find(disk: &dyn Disk, applied: Applied) -> Result<Found, Refusal> {
    let (state, sound) = FileEngine::state(disk)?;
    let Some(log) = disk.log() else {
        let needs = matches!(state, HeadState::Open(LogUse::Used(_)));
        return if needs { Err(Refusal::NoLog("is missing on this disk")) } else { Ok(None) };
    };
    let head = log::head(&*log)?;
    let head = match (state, head) {
        (HeadState::Open(LogUse::Used(named)), Some(head)) if named == head.id => head,
        (HeadState::Open(LogUse::Used(_)), Some(_)) => {
            return Err(Refusal::NoLog("is the log of another store, or of an earlier use of this one"));
        }
        (HeadState::Open(LogUse::Used(_)), None) => return Err(headless(&*log)?),
        // A power failure while the log was named, or the file closed: all its frames, if any, are in the file.
        (HeadState::Open(_), Some(head)) if !sound => head,
        // The file contains all its frames.
        (
            HeadState::Open(LogUse::Unused(Some(last))) | HeadState::Closed { last: Some(last), .. },
            Some(head),
        ) if last == head.id => {
            return Ok(None);
        }
        _ if log.len().map_err(io_fault)? == 0 || log::is_unborn(&*log)? => return Ok(None),
        (_, Some(_)) => return Err(Refusal::StrayLog("is the log of another store")),
        (_, None) => return Err(Refusal::StrayLog("is not the log of a store")),
    };
    Ok(Some(recovery::read(&*log, head, applied)?))
}

/// Returns the error of a log without a head, although the store needs it.
fn headless(log: &dyn Disk) -> Result<Refusal, StorageFault> {
    Ok(match log.len().map_err(io_fault)? {
        0 => Refusal::NoLog("does not exist, or is empty"),
        _ => Refusal::BadLog("both of its heads are damaged".to_owned()),
    })
}
