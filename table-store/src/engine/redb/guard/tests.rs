use std::collections::BTreeSet;

use super::*;
use crate::{
    MemoryDisk,
    engine::redb::head::{self, LogUse},
};

/// A disk behind the page cache of a system: reads return written data, the disk contains synced data. A failed sync
/// drops the pending data, and the next sync ignores it.
#[derive(Clone, Debug)]
struct Layers {
    seen: MemoryDisk,
    below: Arc<Mutex<Below>>,
}

#[derive(Clone, Debug)]
struct Below {
    durable: Vec<u8>,
    unsynced: Vec<(usize, Vec<u8>)>,
    fails: bool,
    /// The data immediately before the last sync.
    before_sync: Option<Box<Self>>,
}

impl Below {
    /// Returns the possible states after a power failure: each unsynced sector is unchanged, written, or garbage.
    fn images(&self) -> Vec<Vec<u8>> {
        let mut images = BTreeSet::from([self.durable.clone()]);
        for (offset, bytes) in &self.unsynced {
            let hit = |image: &Vec<u8>, content: &[u8]| {
                let mut image = image.clone();
                image[*offset..offset + content.len()].copy_from_slice(content);
                image
            };
            let garbage = vec![0xa5; bytes.len()];
            let more: Vec<_> =
                images.iter().flat_map(|image| [hit(image, bytes), hit(image, &garbage)]).collect();
            images.extend(more);
        }
        images.into_iter().collect()
    }
}

impl Layers {
    fn with(bytes: Vec<u8>) -> Self {
        let below = Below { durable: bytes.clone(), unsynced: Vec::new(), fails: false, before_sync: None };
        Self { seen: MemoryDisk::with_bytes(bytes), below: Arc::new(Mutex::new(below)) }
    }

    fn fail(&self, fails: bool) {
        self.below.lock().unwrap().fails = fails;
    }

    fn images(&self) -> Vec<Vec<u8>> {
        self.below.lock().unwrap().images()
    }

    fn images_before_sync(&self) -> Vec<Vec<u8>> {
        self.below.lock().unwrap().before_sync.as_ref().map_or_else(Vec::new, |before| before.images())
    }
}

impl Disk for Layers {
    fn len(&self) -> io::Result<u64> {
        self.seen.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.seen.read(offset, into)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).unwrap();
        self.below.lock().unwrap().unsynced.push((at, bytes.to_vec()));
        self.seen.write(offset, bytes)
    }

    fn set_len(&self, _len: u64) -> io::Result<()> {
        unreachable!("the guard changes no length")
    }

    fn sync(&self) -> io::Result<()> {
        let below = &mut *self.below.lock().unwrap();
        below.before_sync = None;
        below.before_sync = Some(Box::new(below.clone()));
        let unsynced = std::mem::take(&mut below.unsynced);
        if below.fails {
            return Err(io::ErrorKind::Other.into());
        }
        for (offset, bytes) in unsynced {
            below.durable[offset..offset + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(())
    }
}

/// Simulated lifetime of a store as seen by the guard. Headers are identified by a number in them.
struct Life {
    disk: Layers,
    guard: Guard,
    last: u8,
    /// Headers that may be found: the last synced header and all headers written since.
    possible: BTreeSet<u8>,
}

fn header(mark: u8) -> Header {
    [mark; HEADER_BYTES]
}

fn guard_of(disk: &Layers) -> (Guard, u8) {
    let (guard, found) = Guard::of_existing(Arc::new(disk.clone()), HeadState::NEW, false).unwrap();
    let found = found.unwrap();
    assert_eq!(found, header(found[0]));
    (guard, found[0])
}

impl Life {
    fn begin() -> Self {
        let disk = Layers::with(vec![0; 6 * 4096]);
        let guard = Guard::of_new(Arc::new(disk.clone()), false);
        guard.write(&header(1)).unwrap();
        guard.sync().unwrap();
        Self { disk, guard, last: 1, possible: BTreeSet::from([1]) }
    }

    fn write(&mut self) {
        self.last += 1;
        self.rewrite(self.last);
    }

    fn rewrite(&mut self, mark: u8) {
        self.guard.write(&header(mark)).unwrap();
        self.possible.insert(mark);
        self.look();
    }

    fn sync(&mut self) {
        let newest = guard_of(&self.disk).1;
        self.guard.sync().unwrap();
        self.possible = BTreeSet::from([newest]);
        self.look();
    }

    /// Checks that a possible header is found in every state that a power failure can leave now.
    fn look(&self) {
        for image in self.disk.images() {
            let (_, found) = guard_of(&Layers::with(image));
            assert!(self.possible.contains(&found), "{found} of {:?}", self.possible);
        }
    }

    /// Fails syncs, with successful syncs without pending data in between. Then the process ends or continues.
    fn fail(&mut self, times: u64, ends: bool) {
        for _ in 0..times {
            self.write();
            self.disk.fail(true);
            self.guard.sync().unwrap_err();
            self.disk.fail(false);
            self.guard.sync().unwrap();
            self.look();
        }
        if ends {
            self.restart();
        } else {
            let found = self.guard.after_error().unwrap()[0];
            self.settle(found);
        }
    }

    /// Another process opens the file, without a power failure.
    fn restart(&mut self) {
        let (guard, found) = guard_of(&self.disk);
        self.guard = guard;
        self.settle(found);
    }

    fn power_cut(&mut self, choice: usize) {
        let images = self.disk.images();
        self.disk = Layers::with(images[choice % images.len()].clone());
        let (guard, found) = guard_of(&self.disk);
        self.guard = guard;
        self.settle(found);
    }

    fn settle(&mut self, found: u8) {
        assert!(self.possible.contains(&found), "{found} of {:?}", self.possible);
        head::mark_open(&self.disk, &self.guard, LogUse::Unused(None)).unwrap();
        self.rewrite(found);
        self.sync();
    }
}

/// Opens each state that a power failure can leave, and cuts the power during the opening, and during those after it.
/// Returns the number of openings.
fn cut_openings(images: Vec<Vec<u8>>, possible: &BTreeSet<u8>, cuts: usize) -> usize {
    let mut openings = 0;
    for image in images {
        let disk = Layers::with(image);
        let (guard, found) = guard_of(&disk);
        assert!(possible.contains(&found), "{found} of {possible:?} before {cuts} more cuts");
        openings += 1;
        if cuts > 0 {
            head::mark_open(&disk, &guard, LogUse::Unused(None)).unwrap();
            guard.write(&header(found)).unwrap();
            let images = disk.images_before_sync().into_iter().chain(disk.images()).collect();
            openings += cut_openings(images, &BTreeSet::from([found]), cuts - 1);
        }
    }
    openings
}

/// The header may be in its sector only, or in its slot only, and each opening can damage two sectors.
#[test]
fn power_cuts_during_openings_lose_no_header_that_was_found() {
    let mut life = Life::begin();
    for _ in 0..3 {
        life.write();
        life.sync();
    }
    life.write();
    assert!(cut_openings(life.disk.images(), &life.possible, 2) > 1_000);
}

/// Reads return a header that a failed sync dropped, and the processes that open the file fail as well.
#[test]
fn failed_syncs_of_openings_lose_no_synced_header() {
    let mut life = Life::begin();
    for _ in 0..3 {
        life.write();
        life.sync();
    }
    life.write();
    life.disk.fail(true);
    life.guard.sync().unwrap_err();
    for opens in [false, true, false, true, true, true] {
        let (guard, found) = guard_of(&life.disk);
        life.guard = guard;
        life.disk.fail(!opens);
        let opened = head::mark_open(&life.disk, &life.guard, LogUse::Unused(None));
        assert_eq!(opened.is_ok(), opens);
        if opens {
            life.possible = BTreeSet::from([found]);
            life.rewrite(found);
            life.disk.fail(true);
            life.guard.sync().unwrap_err();
        }
        life.look();
    }
}

#[test]
fn no_synced_header_is_lost_and_none_from_before_comes_back() {
    for seed in 1..150_u64 {
        let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut roll = |sides: u64| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            dice % sides
        };
        let mut life = Life::begin();
        for _ in 0..30 {
            match roll(10) {
                0..=3 => life.write(),
                4..=6 => life.sync(),
                7 => life.fail(1 + roll(4), roll(2) == 0),
                8 => life.restart(),
                _ => life.power_cut(usize::try_from(roll(1000)).unwrap()),
            }
        }
    }
}

#[test]
fn after_a_close_the_header_is_repaired_only_to_what_was_closed() {
    let mut life = Life::begin();
    for _ in 0..4 {
        life.write();
        life.sync();
    }
    head::mark_closed(&life.disk, &life.guard, None).unwrap();
    let sum = crc32c::crc32c(&engine_page(&life.disk).unwrap());
    let open = |disk: &Layers| {
        Guard::of_existing(Arc::new(disk.clone()), HeadState::Closed { page: sum, last: None }, false)
    };
    assert!(open(&life.disk).unwrap().1.is_none());
    let at = usize::try_from(behind(9)).unwrap();
    let mut rotten = life.disk.seen.bytes();
    rotten[at] ^= 4;
    assert_eq!(open(&Layers::with(rotten.clone())).unwrap().1, Some(header(life.last)));
    rotten[at + HEADER_BYTES + 1000] ^= 4;
    assert!(matches!(open(&Layers::with(rotten)), Err(Refusal::Damaged(_))));
}

#[test]
fn where_no_header_is_left_the_file_is_refused() {
    let mut life = Life::begin();
    life.write();
    life.sync();
    let mut bytes = life.disk.seen.bytes();
    bytes[2 * 4096..].fill(0xa5);
    let opened = Guard::of_existing(Arc::new(Layers::with(bytes)), HeadState::NEW, false);
    assert!(matches!(opened, Err(Refusal::Damaged(_))));
}

#[test]
fn a_header_of_another_length_is_refused_before_anything_is_written() {
    let life = Life::begin();
    let before = life.disk.seen.bytes();
    assert!(life.guard.write(&[0; HEADER_BYTES + 1]).is_err());
    assert_eq!(life.disk.seen.bytes(), before);
}
