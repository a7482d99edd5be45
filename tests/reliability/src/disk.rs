//! A disk in memory that remembers, waits and fails on request.

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

use table_store::embedded::Disk;

use self::{fault::Faults, gate::Gate};

/// Bytes that a disk writes whole.
pub const SECTOR: usize = 512;

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub struct SimDisk(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What reads see: every write, synced or not.
    image: Image,
    steps: Vec<Step>,
    faults: Faults,
    gate: Gate,
    /// Most bytes that the disk has room for.
    capacity: Option<usize>,
    unplugged: bool,
}

impl SimDisk {
    /// A disk that holds this, all of it on stable storage.
    #[must_use]
    pub fn holding(image: Image) -> Self {
        let state = State { image, ..State::default() };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, of plain bytes.
    #[must_use]
    pub fn with_bytes(bytes: &[u8]) -> Self {
        Self::holding(Image::from(bytes))
    }

    /// What reads see.
    #[must_use]
    pub fn image(&self) -> Image {
        self.state().image.clone()
    }

    /// What reads see, as plain bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.image().to_vec()
    }

    /// How many steps were done.
    #[must_use]
    pub fn steps_done(&self) -> usize {
        self.state().steps.len()
    }

    /// All steps done so far.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.state().steps.clone()
    }

    /// Forgets the steps. What reads see is from now on what the disk began with.
    pub fn forget(&self) {
        self.state().steps.clear();
    }

    /// Forgets all steps but these, which were its first ones.
    pub fn put_back(&self, steps: Vec<Step>) {
        self.state().steps = steps;
    }

    /// From now on the disk has room for so many bytes; none for no end.
    pub fn limit(&self, capacity: Option<usize>) {
        self.state().capacity = capacity;
    }

    /// From now on no call reaches the disk: the machine is off.
    pub fn unplug(&self) {
        self.state().unplugged = true;
    }

    /// From now on the disk fails as told.
    pub fn fail(&self, fault: Fault) {
        self.state().faults = Faults::new(fault);
    }

    /// The disk works again. Says how often it failed.
    pub fn heal(&self) -> u64 {
        std::mem::take(&mut self.state().faults).fired()
    }

    /// How often the disk failed since [`SimDisk::fail`].
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.state().faults.fired()
    }

    /// The next change of the disk waits until [`SimDisk::release`].
    pub fn hold(&self) {
        self.state().gate = Gate::Shut;
    }

    /// Returns when a change waits. There must be one to come.
    pub fn wait_until_held(&self) {
        let state = self.state();
        let waits = |state: &mut State| state.gate == Gate::Shut;
        drop(self.0.changed.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// Lets changes pass.
    pub fn release(&self) {
        self.state().gate = Gate::Open;
        self.0.changed.notify_all();
    }

    /// The state once changes may pass.
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
    /// An error if no call reaches the disk any more.
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
        // A read that fails may have been done in part.
        let count = if outcome.is_ok() { into.len() } else { into.len() / 2 };
        let (begin, _) = into.split_at_mut(count);
        state.image.read(place(offset)?, begin).ok_or(io::ErrorKind::UnexpectedEof)?;
        outcome.or_else(FaultKind::report)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut state = self.state_for_change();
        state.plugged()?;
        if let Err(kind) = state.faults.meet(FaultOn::Write) {
            // A write that fails may have been done in part.
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
