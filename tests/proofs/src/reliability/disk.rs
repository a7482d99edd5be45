//! A disk in memory that records its steps, and blocks and fails on request.

mod bytes;
mod change;
mod fault;
mod gate;
mod image;
mod step;

pub use bytes::Bytes;
pub use change::Change;
pub use fault::{Fault, FaultKind, FaultOn};
pub use image::{Image, Part};
pub use step::Step;

use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use table_store::Disk;

use self::{fault::Faults, gate::Gate};

/// Number of bytes that a disk writes as a unit.
pub const SECTOR: usize = 512;

/// A disk in memory with a log. Clones share the disk. Faults and the capacity are common to both parts.
#[derive(Clone, Debug, Default)]
pub struct SimDisk {
    part: Part,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The contents that reads return: every write, synced or not.
    image: Image,
    steps: Vec<Step>,
    faults: Faults,
    gate: Gate,
    /// Capacity of the disk in bytes.
    capacity: Option<usize>,
    unplugged: bool,
}

impl SimDisk {
    /// Creates a disk with these contents, all of them on stable storage.
    #[must_use]
    pub fn holding(image: Image) -> Self {
        let state = State { image, ..State::default() };
        let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
        Self { part: Part::File, shared: Arc::new(shared) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a disk without a log from bytes.
    #[must_use]
    pub fn with_bytes(bytes: &[u8]) -> Self {
        Self::holding(Image::from(bytes))
    }

    /// Returns the current contents.
    #[must_use]
    pub fn image(&self) -> Image {
        self.state().image.clone()
    }

    /// Returns the current bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.state().image.file.to_vec()
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn steps_done(&self) -> usize {
        self.state().steps.len()
    }

    /// Returns all steps so far.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.state().steps.clone()
    }

    /// Removes the recorded steps. The current contents become the initial contents.
    pub fn forget(&self) {
        self.state().steps.clear();
    }

    /// Replaces the recorded steps by these, which were its first steps.
    pub fn put_back(&self, steps: Vec<Step>) {
        self.state().steps = steps;
    }

    /// Sets the capacity in bytes; `None` for an unlimited capacity.
    pub fn limit(&self, capacity: Option<usize>) {
        self.state().capacity = capacity;
    }

    /// Fails all further calls, as if the machine were off.
    pub fn unplug(&self) {
        self.state().unplugged = true;
    }

    /// Injects a fault into further calls.
    pub fn fail(&self, fault: Fault) {
        self.state().faults = Faults::new(fault);
    }

    /// Removes the fault. Returns the number of failures.
    pub fn heal(&self) -> u64 {
        std::mem::take(&mut self.state().faults).fired()
    }

    /// Returns the number of failures since [`SimDisk::fail`].
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.state().faults.fired()
    }

    /// Blocks the next change of the disk until [`SimDisk::release`].
    pub fn hold(&self) {
        self.state().gate = Gate::Shut;
    }

    /// Waits until a change is blocked. A change must follow.
    pub fn wait_until_held(&self) {
        let state = self.state();
        let waits = |state: &mut State| state.gate == Gate::Shut;
        drop(self.shared.changed.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// Unblocks changes.
    pub fn release(&self) {
        self.state().gate = Gate::Open;
        self.shared.changed.notify_all();
    }

    /// Returns the state once changes are not blocked.
    fn state_for_change(&self) -> MutexGuard<'_, State> {
        let mut state = self.state();
        while state.gate != Gate::Open {
            state.gate = Gate::Waiting;
            self.shared.changed.notify_all();
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }
}

fn place(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| io::ErrorKind::InvalidInput.into())
}

impl State {
    /// Returns an error if the disk is off.
    fn plugged(&self) -> io::Result<()> {
        if self.unplugged { FaultKind::Device.report() } else { Ok(()) }
    }

    fn record(&mut self, part: Part, change: Change) {
        self.steps.push(Step { part, change });
    }

    fn overwrite(&mut self, part: Part, offset: u64, from: &[u8]) -> io::Result<()> {
        if !self.image.part_mut(part).write(place(offset)?, from) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.record(part, Change::Write(offset, from.into()));
        Ok(())
    }
}

impl Disk for SimDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().image.part(self.part).len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        state.plugged()?;
        let outcome = state.faults.meet(FaultOn::Read);
        // A failed read may be partial.
        let count = if outcome.is_ok() { into.len() } else { into.len() / 2 };
        let (begin, _) = into.split_at_mut(count);
        state.image.part(self.part).read(place(offset)?, begin).ok_or(io::ErrorKind::UnexpectedEof)?;
        outcome.or_else(FaultKind::report)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        if let Err(kind) = state.faults.meet(FaultOn::Write) {
            // A failed write may be partial.
            let (begin, _) = from.split_at(from.len() / 2 / SECTOR * SECTOR);
            state.overwrite(self.part, offset, begin)?;
            return kind.report();
        }
        state.overwrite(self.part, offset, from)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        state.faults.meet(FaultOn::SetLen).or_else(FaultKind::report)?;
        let wanted = usize::try_from(len).map_err(|_| io::ErrorKind::StorageFull)?;
        let len = state.image.part(self.part).len();
        let total = state.image.len() - len + wanted;
        if wanted > len && state.capacity.is_some_and(|capacity| total > capacity) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        state.image.part_mut(self.part).resize(wanted);
        state.record(self.part, Change::SetLen(wanted));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        let outcome = state.faults.meet(FaultOn::Sync);
        state.record(self.part, if outcome.is_ok() { Change::Sync } else { Change::FailedSync });
        outcome.or_else(FaultKind::report)
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        let log = || Arc::new(Self { part: Part::Log, ..self.clone() }) as Arc<dyn Disk>;
        (self.part == Part::File).then(log)
    }
}
