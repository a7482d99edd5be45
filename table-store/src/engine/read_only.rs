use table_model::StorageFault;

use super::{Engine, PageScrub, Read, Verdict, Write};

/// An engine that is only read. Its file is opened but never admitted, so it does not change.
#[derive(Debug)]
pub(crate) struct ReadOnly<E>(pub(crate) E);

/// The engines that can be opened without changes.
pub(crate) trait Abandon: Engine {
    /// Closes the engine without changes.
    fn abandon(&self) -> Result<(), StorageFault>;
}

impl<E: Abandon> Engine for ReadOnly<E> {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.0.read(work)
    }

    fn read_around(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<bool, StorageFault> {
        self.0.read_around(work)
    }

    fn write(&self, _: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        Err(StorageFault::ReadOnly)
    }

    fn reopenings(&self) -> u64 {
        self.0.reopenings()
    }

    fn damaged_pages(&self) -> usize {
        self.0.damaged_pages()
    }

    fn page_scrub(&self) -> Option<Box<dyn PageScrub>> {
        self.0.page_scrub()
    }

    fn compact(&self) -> Result<(), StorageFault> {
        Err(StorageFault::ReadOnly)
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.0.bytes()
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.0.abandon()
    }
}
