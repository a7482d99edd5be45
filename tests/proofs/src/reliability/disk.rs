//! A disk in memory that records its steps, and blocks and fails on request.

mod fault;
mod gate;
mod image;
mod step;

pub use fault::{Fault, FaultKind, FaultOn};
pub use image::Image;
pub use step::Step;

use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use table_store::Disk;

use self::{fault::Faults, gate::Gate};

/// Number of bytes that a disk writes as a unit.
pub const SECTOR: usize = 512;

/// A disk in memory. Clones share the disk.
#[derive(Clone, Debug, Default)]
pub struct SimDisk(Arc<Shared>);

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
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a disk from bytes.
    #[must_use]
    pub fn with_bytes(bytes: &[u8]) -> Self {
        Self::holding(Image::from(bytes))
    }

    /// Returns the current contents.
    #[must_use]
    pub fn image(&self) -> Image {
        self.state().image.clone()
    }

    /// Returns the current contents as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.image().to_vec()
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
        drop(self.0.changed.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// Unblocks changes.
    pub fn release(&self) {
        self.state().gate = Gate::Open;
        self.0.changed.notify_all();
    }

    /// Returns the state once changes are not blocked.
    fn state_for_change(&self) -> MutexGuard<'_, State> {
        let mut state = self.state();
        while state.gate != Gate::Open {
            state.gate = Gate::Waiting;
            self.0.changed.notify_all();
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
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

    fn overwrite(&mut self, offset: u64, from: &[u8]) -> io::Result<()> {
        if !self.image.write(place(offset)?, from) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.steps.push(Step::Write(offset, from.into()));
        Ok(())
    }
}

impl Disk for SimDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().image.len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        state.plugged()?;
        let outcome = state.faults.meet(FaultOn::Read);
        // A failed read may be partial.
        let count = if outcome.is_ok() { into.len() } else { into.len() / 2 };
        let (begin, _) = into.split_at_mut(count);
        state.image.read(place(offset)?, begin).ok_or(io::ErrorKind::UnexpectedEof)?;
        outcome.or_else(FaultKind::report)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        if let Err(kind) = state.faults.meet(FaultOn::Write) {
            // A failed write may be partial.
            let (begin, _) = from.split_at(from.len() / 2 / SECTOR * SECTOR);
            state.overwrite(offset, begin)?;
            return kind.report();
        }
        state.overwrite(offset, from)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        state.faults.meet(FaultOn::SetLen).or_else(FaultKind::report)?;
        let wanted = usize::try_from(len).map_err(|_| io::ErrorKind::StorageFull)?;
        if wanted > state.image.len() && state.capacity.is_some_and(|capacity| wanted > capacity) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        state.image.resize(wanted);
        state.steps.push(Step::SetLen(wanted));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        let outcome = state.faults.meet(FaultOn::Sync);
        state.steps.push(if outcome.is_ok() { Step::Sync } else { Step::FailedSync });
        outcome.or_else(FaultKind::report)
    }
}
