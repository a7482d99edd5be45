//! Damage of each block, writes between and during steps, pauses, and the end.

use std::{
    fmt::Debug,
    sync::atomic::{AtomicU64, Ordering},
};

use table_model::{Entity, Operation, TableName};

use super::*;
use crate::{BlockingStore, DamagePlace, Disk, Durability, LogMode, MemoryDisk, OpenOptions};

const BLOCK: u64 = 4096;
/// Blocks of the head, which is verified when the store is opened.
const HEAD: u64 = 6;

fn options() -> OpenOptions {
    OpenOptions::new().log_mode(LogMode::Off)
}

fn table(name: &str) -> TableName {
    name.parse().unwrap()
}

/// Writes a third of 400 rows of two tables. Creates and deletes another table.
fn write(store: &BlockingStore, round: u64) {
    for name in ["Staff", "Orders"] {
        let row = |number| {
            let text = format!("{number} {round} ").repeat(20);
            Operation::InsertOrReplace(Entity::new("p", format!("{number:04}")).with("Text", text.as_str()))
        };
        let rows: Vec<_> = (0..400).filter(|number| (number + round).is_multiple_of(3)).map(row).collect();
        rows.chunks(100).for_each(|part| drop(store.transact(&table(name), part).unwrap()));
    }
    let other = table(&format!("Other{round}"));
    store.create_table(&other).unwrap();
    store.delete_table(&other).unwrap();
    store.swept().unwrap();
}

fn filled(options: &OpenOptions, disk: impl Disk) -> BlockingStore {
    let store = options.open_disk(disk).unwrap().blocking();
    for name in ["Staff", "Orders"] {
        store.create_table(&table(name)).unwrap();
    }
    (0..3).for_each(|round| write(&store, round));
    store
}

fn scrub_of(store: &BlockingStore) -> Box<dyn PageScrub> {
    store.store().core().engine.page_scrub().unwrap()
}

/// Verifies all pages. Returns the sums of all steps.
fn pass(store: &BlockingStore) -> ScrubStep {
    let (mut scrub, mut whole) = (scrub_of(store), ScrubStep::default());
    while !whole.ended {
        let step = scrub.step();
        assert!(step.bytes <= 200_000, "{step:?}");
        whole.pages += step.pages;
        whole.unreadable += step.unreadable;
        (whole.damaged, whole.ended) = (step.damaged, step.ended);
    }
    whole
}

/// The verification of the closed file is the reference: both find the same pages to be damaged.
#[test]
fn each_damaged_block_in_use_is_found() {
    let disk = MemoryDisk::new();
    filled(&options(), disk.clone()).close().unwrap();
    let bytes = disk.bytes();
    let (mut found, mut unused) = (0, 0);
    for block in HEAD..bytes.len() as u64 / BLOCK {
        let disk = MemoryDisk::with_bytes(bytes.clone());
        let store = options().open_disk(disk.clone()).unwrap().blocking();
        let (at, mut byte) = (block * BLOCK + 1_000, [0]);
        disk.read(at, &mut byte).unwrap();
        disk.write(at, &[byte[0] ^ 16]).unwrap();
        let image = disk.bytes();
        let report = options().scrub_disk(MemoryDisk::with_bytes(image.clone())).unwrap();
        let expected = report.damage.iter().any(|damage| damage.place == DamagePlace::Engine);
        let whole = pass(&store);
        assert_eq!(whole.damaged, usize::from(expected), "block {block}: {report}");
        assert_eq!(store.stats().damaged_pages, whole.damaged);
        if expected {
            found += 1;
            let error = store.create_table(&table("Later")).unwrap_err().to_string();
            assert!(error.contains("writes are rejected until the store is opened again"), "{error}");
            store.close().unwrap_err();
            assert!(disk.bytes() == image, "block {block}: nothing is written");
        } else {
            unused += 1;
        }
    }
    assert!(found > 40 && unused > 3, "{found} found, {unused} unused");
}

#[test]
fn a_pass_finds_all_damaged_pages() {
    let disk = MemoryDisk::new();
    let store = filled(&options(), disk.clone());
    let sound = pass(&store);
    // Pages of rows; the pages above them are sound.
    let is_row = |bytes: &[u8]| bytes[..2] == [1, 0] && bytes.windows(5).any(|window| window == b" 2 15");
    let blocks = disk.bytes();
    let rows: Vec<_> = blocks.chunks(4096).zip(0..).filter(|(bytes, _)| is_row(bytes)).collect();
    for (bytes, block) in &rows {
        disk.write(block * BLOCK + 4_000, &[!bytes[4_000]]).unwrap();
    }
    let damaged = pass(&store);
    assert!(damaged.damaged > 1 && damaged.damaged <= rows.len(), "{damaged:?}");
    assert_eq!(damaged.pages + damaged.damaged as u64, sound.pages);
    assert_eq!(pass(&store), damaged, "the next pass finds the same");
}

#[test]
fn writes_between_steps_are_no_damage() {
    let relaxed = Durability::Relaxed { at_most: Duration::from_secs(3600) };
    for options in [options(), options().durability(relaxed), OpenOptions::new().log_mode(LogMode::Inline)] {
        let store = filled(&options, MemoryDisk::new());
        let mut scrub = scrub_of(&store);
        let (mut passes, mut pages) = (0, 0);
        for round in 0..40 {
            let step = scrub.step();
            assert_eq!((step.damaged, step.unreadable), (0, 0), "round {round}");
            passes += u64::from(step.ended);
            pages += step.pages;
            write(&store, round);
        }
        assert!(passes > 2 && pages / passes > 50, "{passes} passes, {pages} pages");
        assert_eq!(pass(&store).damaged, 0);
    }
}

#[test]
fn writes_during_steps_are_no_damage() {
    let store = filled(&options().cache_bytes(0), MemoryDisk::new());
    let mut scrub = scrub_of(&store);
    let writer = thread::spawn({
        let store = store.clone();
        move || (0..60).for_each(|round| write(&store, round))
    });
    while !writer.is_finished() {
        let step = scrub.step();
        assert_eq!((step.damaged, step.unreadable), (0, 0));
    }
    writer.join().unwrap();
}

/// A disk that cannot read one block.
#[derive(Clone, Debug)]
struct Unreadable(MemoryDisk, Arc<AtomicU64>);

impl Disk for Unreadable {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let at = self.1.load(Ordering::Relaxed);
        if (offset..offset + into.len() as u64).contains(&at) {
            Err(io::Error::other("EIO"))
        } else {
            self.0.read(offset, into)
        }
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write(offset, bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

#[test]
fn a_page_that_the_disk_cannot_read_is_counted_and_writes_continue() {
    let disk = Unreadable(MemoryDisk::new(), Arc::new(AtomicU64::new(u64::MAX)));
    let store = filled(&options(), disk.clone());
    let whole = pass(&store);
    assert!(whole.unreadable == 0 && whole.pages > 50, "{whole:?}");
    let text = b"151 2 151 2 ";
    let at = disk.0.bytes().windows(text.len()).rposition(|window| window == text).unwrap();
    disk.1.store(at as u64 / BLOCK * BLOCK, Ordering::Relaxed);
    let without = pass(&store);
    assert_eq!((without.unreadable, without.damaged), (1, 0), "{without:?}");
    write(&store, 3);
}

#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// Passes of three steps.
#[derive(Debug)]
struct Steps(u64);

impl PageScrub for Steps {
    fn step(&mut self) -> ScrubStep {
        self.0 += 1;
        ScrubStep { pages: 16, bytes: 65_536, damaged: 2, unreadable: 1, ended: self.0.is_multiple_of(3) }
    }
}

#[test]
fn pauses_keep_the_rate_and_the_interval() {
    let settings = BackgroundScrub::new(2 * 65_536).interval(Duration::from_secs(60));
    let (shared, mut pauses) = (Shared::default(), Vec::new());
    shared.run(settings, &mut Steps(0), &Standing, &mut |time| {
        pauses.push(time);
        pauses.len() < 7
    });
    let (step, last) = (Duration::from_millis(500), Duration::from_millis(60_500));
    assert_eq!(pauses, [step, step, last, step, step, last, step]);
    let pass = ScrubPass { ended: Timestamp::UNIX_EPOCH, pages: 48, damaged: 2, unreadable: 3 };
    assert_eq!(shared.state().progress, ScrubProgress { pages: 16, last: Some(pass) });

    // Neither an empty step nor any rate leads to a loop without a pause.
    assert_eq!(BackgroundScrub::new(0).pause(&ScrubStep::default()), Duration::from_secs(4096));
    assert!(BackgroundScrub::new(1_000_000_000).pause(&ScrubStep::default()) > Duration::ZERO);
}

#[test]
fn the_scrub_reports_its_pass_and_ends_with_the_store() {
    let disk = MemoryDisk::new();
    let without = filled(&OpenOptions::new(), disk.clone());
    assert_eq!(without.stats().background_scrub, None);
    without.close().unwrap();
    let fast = BackgroundScrub::new(u64::MAX);
    let store = OpenOptions::new().background_scrub(fast).open_disk(disk.clone()).unwrap().blocking();
    let last = loop {
        match store.stats().background_scrub.unwrap().last {
            Some(last) => break last,
            None => thread::yield_now(),
        }
    };
    assert!(last.pages > 30 && (last.damaged, last.unreadable) == (0, 0), "{last:?}");
    // It waits for a week now, or between two steps for hours.
    store.close().unwrap();
    let slow = BackgroundScrub::new(1);
    drop(OpenOptions::new().background_scrub(slow).open_disk(disk.clone()).unwrap());
    drop(OpenOptions::new().background_scrub(slow).read_only(true).open_disk(disk.clone()).unwrap());

    // A file of an earlier version.
    let old = OpenOptions::new().page_sums(false).background_scrub(slow).in_memory().unwrap();
    assert_eq!(old.stats().background_scrub, None);
}
