//! A disk of limited size whose files occupy only the blocks that were written, as on most file systems.

use std::{
    collections::BTreeSet,
    io::{self, ErrorKind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{MemoryDisk, disk::Disk, engine::BLOCK_BYTES};

/// The file of a store, or its log.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    number: usize,
    content: MemoryDisk,
    file: Arc<dyn Disk>,
    /// The blocks of both files.
    used: Arc<Mutex<[BTreeSet<u64>; 2]>>,
    most: Arc<AtomicUsize>,
}

impl Sparse {
    /// Creates an empty disk with so many blocks.
    pub(super) fn new(most: usize) -> Self {
        let content = MemoryDisk::new();
        let file = Arc::new(content.clone());
        Self { number: 0, content, file, used: Arc::default(), most: Arc::new(AtomicUsize::new(most)) }
    }

    /// Returns a copy, as after the end of the process.
    pub(super) fn killed(&self) -> Self {
        let content = self.content.copied();
        let used = Arc::new(Mutex::new(self.used.lock().unwrap().clone()));
        let most = Arc::new(AtomicUsize::new(self.most.load(Ordering::Relaxed)));
        Self { number: 0, file: Arc::new(content.clone()), content, used, most }
    }

    /// Returns the numbers of blocks of the file and of the log.
    pub(super) fn blocks(&self) -> [usize; 2] {
        self.used.lock().unwrap().each_ref().map(BTreeSet::len)
    }

    /// Fills the rest of the disk with other files.
    pub(super) fn fill(&self) {
        self.most.store(self.blocks().into_iter().sum(), Ordering::Relaxed);
    }

    /// Releases so many blocks of other files.
    pub(super) fn free(&self, blocks: usize) {
        self.most.fetch_add(blocks, Ordering::Relaxed);
    }
}

fn block(at: u64) -> u64 {
    at / BLOCK_BYTES as u64
}

impl Disk for Sparse {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn allocated(&self) -> io::Result<u64> {
        Ok((self.blocks()[self.number] * BLOCK_BYTES) as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, into)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut used = self.used.lock().unwrap();
        for block in block(offset)..=block(offset + from.len() as u64 - 1) {
            let sum: usize = used.iter().map(BTreeSet::len).sum();
            if !used[self.number].contains(&block) && sum >= self.most.load(Ordering::Relaxed) {
                return Err(ErrorKind::StorageFull.into());
            }
            used[self.number].insert(block);
        }
        self.file.write(offset, from)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.used.lock().unwrap()[self.number].retain(|block| block * (BLOCK_BYTES as u64) < len);
        self.file.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        let file = self.content.log()?;
        (self.number == 0).then(|| Arc::new(Self { number: 1, file, ..self.clone() }) as Arc<dyn Disk>)
    }
}
