//! The engine on disks that fail, are cut off, or are damaged.

mod damage;
mod faults;
mod garbage;
#[cfg(shuttle)]
mod interleavings;
pub(crate) mod platter;
mod power;
mod readers;
mod space;

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use table_model::StorageFault;

use super::*;
use crate::{SystemRandom, checksum, engine::FileEngine, keys::TableId, refusal::Refusal};

/// Keys and values, without checksums.
pub(crate) type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// Settings with which every test switches parts of the log and writes large commits to the file.
pub(crate) const SMALL: Settings =
    Settings { half_bytes: 64 << 10, frame_bytes: 12 << 10, direct_commits: 1, threaded: false };

pub(crate) fn create(disk: impl Disk, settings: Settings) -> Result<LoggedEngine, StorageFault> {
    let disk: Arc<dyn Disk> = Arc::new(disk);
    let file = FileEngine::create(Arc::clone(&disk), 1 << 20, true)?;
    LoggedEngine::new(file, disk, Arc::new(SystemRandom), settings)
}

/// Returns the images of a store that was created and closed.
fn closed(settings: Settings) -> [Vec<u8>; 2] {
    let disk = platter::Recorder::new([Vec::new(), Vec::new()]);
    create(disk.clone(), settings).unwrap().close().unwrap();
    disk.images()
}

pub(crate) fn open(disk: impl Disk, settings: Settings) -> Result<LoggedEngine, Refusal> {
    open_with(disk, settings, 1 << 20)
}

pub(crate) fn open_with(disk: impl Disk, settings: Settings, cache: usize) -> Result<LoggedEngine, Refusal> {
    let disk: Arc<dyn Disk> = Arc::new(disk);
    let file = FileEngine::open(Arc::clone(&disk), cache, None)?;
    let engine = LoggedEngine::open(file, disk, Arc::new(SystemRandom), settings)?;
    engine.admit()?;
    Ok(engine)
}

/// Writes rows, and removes the keys without a value.
pub(crate) fn write(
    engine: &dyn Engine,
    rows: &[(Vec<u8>, Option<Vec<u8>>)],
    persist: Persist,
) -> Result<(), StorageFault> {
    engine.write(&mut |write| {
        for (key, value) in rows {
            match value {
                Some(value) => {
                    let mut value = value.clone();
                    checksum::seal(key, &mut value);
                    write.put(key, &value).unwrap();
                }
                None => write.remove(key).unwrap(),
            }
        }
        Verdict::Commit(persist)
    })
}

/// Reads all rows with a scan, and each with a point read.
pub(crate) fn rows(engine: &dyn Engine) -> Result<Rows, StorageFault> {
    let mut outcome = Ok(Rows::new());
    engine.read(&mut |read| outcome = read_all(read))?;
    outcome
}

fn read_all(read: &dyn Read) -> Result<Rows, StorageFault> {
    let mut rows = Rows::new();
    read.scan_whole(&[], &TableId(u32::MAX).end(), &mut |key, value| {
        rows.insert(key.to_vec(), checksum::unseal(key, value).unwrap().to_vec());
        ControlFlow::Continue(())
    })?;
    for (key, value) in &rows {
        let mut found = Vec::new();
        assert!(read.get_whole(key, &mut |value| found.extend_from_slice(value))?);
        assert_eq!(checksum::unseal(key, &found)?, value);
    }
    Ok(rows)
}

/// Deterministic pseudorandom numbers.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// Returns the changes of commit `number`: some rows of 40, and rarely large ones or many.
    pub(crate) fn changes(&mut self, number: u64) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        let count = if self.roll(12) == 0 { 30 } else { 1 + self.roll(4) };
        let len = if self.roll(20) == 0 { 9_000 } else { self.roll(300) };
        let mut rows = vec![(b"number".to_vec(), Some(number.to_le_bytes().to_vec()))];
        for _ in 0..count {
            let key = format!("row {:02}", self.roll(40)).into_bytes();
            let mut value = number.to_le_bytes().to_vec();
            value.resize(8 + usize::try_from(len).unwrap(), 7);
            rows.push((key, (self.roll(4) > 0).then_some(value)));
        }
        rows
    }
}

/// Applies changes to the expected content.
pub(crate) fn apply(rows: &mut Rows, changes: &[(Vec<u8>, Option<Vec<u8>>)]) {
    for (key, value) in changes {
        match value {
            Some(value) => drop(rows.insert(key.clone(), value.clone())),
            None => drop(rows.remove(key)),
        }
    }
}
