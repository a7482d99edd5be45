use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use super::Disk;
use crate::StoreObserver;

/// A disk whose syncs are measured, together with those of its log.
#[derive(Debug)]
pub(crate) struct ObservedDisk {
    disk: Arc<dyn Disk>,
    log: Option<Arc<dyn Disk>>,
    observer: Arc<dyn StoreObserver>,
}

impl ObservedDisk {
    pub(crate) fn new(disk: Arc<dyn Disk>, observer: Arc<dyn StoreObserver>) -> Self {
        let log = disk.log().map(|log| {
            let observer = Arc::clone(&observer);
            Arc::new(Self { disk: log, log: None, observer }) as Arc<dyn Disk>
        });
        Self { disk, log, observer }
    }
}

impl Disk for ObservedDisk {
    fn len(&self) -> io::Result<u64> {
        self.disk.len()
    }

    fn allocated(&self) -> io::Result<u64> {
        self.disk.allocated()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.disk.read(offset, into)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.write(offset, bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.disk.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        let begun = Instant::now();
        let synced = self.disk.sync();
        // A panic of the observer must not look like one of the engine.
        let _ = catch_unwind(AssertUnwindSafe(|| self.observer.synced(begun.elapsed())));
        synced
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        self.log.clone()
    }

    fn close(&self) -> io::Result<()> {
        self.disk.close()
    }
}
