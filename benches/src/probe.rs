//! The speed of the disk: 1 KiB written into a preallocated file, then synced.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::Path,
    time::{Duration, Instant},
};

use crate::contender::Outcome;

const BLOCK: usize = 1024;
const BLOCKS: u64 = 16 * 1024;

pub struct Probe(File);

impl Probe {
    pub fn new(dir: &Path) -> Outcome<Self> {
        let file =
            File::options().create(true).truncate(true).write(true).read(true).open(dir.join("probe"))?;
        let zeros = vec![0; BLOCK];
        (0..BLOCKS).try_for_each(|block| file.write_all_at(&zeros, block * BLOCK as u64))?;
        file.sync_all()?;
        Ok(Self(file))
    }

    /// Writes with a sync each until the time is over; returns the time of each write.
    pub fn run(&self, window: Duration) -> Outcome<Vec<Duration>> {
        let (block, begun) = ([0x5a; BLOCK], Instant::now());
        let mut times = Vec::new();
        while begun.elapsed() < window {
            let each = Instant::now();
            let place = times.len() as u64 * 7919 % BLOCKS;
            self.0.write_all_at(&block, place * BLOCK as u64)?;
            self.0.sync_data()?;
            times.push(each.elapsed());
        }
        Ok(times)
    }
}
