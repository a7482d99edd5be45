//! Interleavings of commits, freezes, checkpoints and reads, chosen by a scheduler. Compiled with `--cfg shuttle` only:
//! `cargo xtask nightly interleavings`.

use std::{env, io, sync::atomic::AtomicU64 as Counter};

use shuttle::{
    Config, Runner,
    scheduler::{PctScheduler, RandomScheduler},
};

use super::{
    super::{log::FIRST, sync::thread},
    *,
};
use crate::MemoryDisk;

/// The log holds a few commits, and one of ten is larger than a frame.
const TINY: Settings =
    Settings { half_bytes: 32 << 10, frame_bytes: 6 << 10, direct_commits: 0, threaded: false };

const KEYS: [&[u8]; 3] = [b"key a", b"key b", b"key c"];

/// Runs a program in `SCHEDULES` schedules (1,000 unless set), half of them with few changes of the running thread.
fn explore(program: impl Fn() + Copy + Send + Sync + 'static) {
    let schedules: usize = env::var("SCHEDULES").map_or(1_000, |number| number.parse().unwrap());
    let config = || {
        let mut config = Config::new();
        config.stack_size = 4 << 20;
        config
    };
    Runner::new(RandomScheduler::new_from_seed(17, schedules / 2), config()).run(program);
    Runner::new(PctScheduler::new_from_seed(17, 4, schedules / 2), config()).run(program);
}

/// A disk in memory whose log knows the frames that are not on stable storage.
#[derive(Clone, Debug)]
struct Watched {
    disk: Arc<dyn Disk>,
    frames: Arc<Frames>,
    is_log: bool,
}

/// Each use is a point at which the scheduler can continue another thread, so the calls of the log are interleaved.
#[derive(Debug)]
struct Frames {
    /// Number of the commit that is being made.
    current: AtomicU64,
    /// Number of the commit that wrote to the log since its last sync; 0 if none did.
    unsynced: AtomicU64,
}

impl Disk for Watched {
    fn len(&self) -> io::Result<u64> {
        self.disk.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.disk.read(offset, into)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        if self.is_log && offset >= FIRST {
            self.frames.unsynced.store(self.frames.current.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        self.disk.write(offset, from)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.disk.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.sync()?;
        if self.is_log {
            self.frames.unsynced.store(0, Ordering::SeqCst);
        }
        Ok(())
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        let disk = self.disk.log()?;
        Some(Arc::new(Self { disk, is_log: true, ..self.clone() }))
    }
}

/// Writes the number of a commit to all keys.
fn commit(engine: &LoggedEngine, number: u64) {
    let len = if number % 10 == 7 { 3_000 } else { 8 };
    let mut value = number.to_be_bytes().to_vec();
    value.resize(len, 0);
    let rows: Vec<_> = KEYS.iter().map(|key| (key.to_vec(), Some(value.clone()))).collect();
    write(engine, &rows, Persist::Now).unwrap();
}

/// Reads the number of the last commit, which is the same in all keys, by point reads and by a scan.
fn read(engine: &LoggedEngine) -> u64 {
    let mut seen = Vec::new();
    let outcome = engine.read(&mut |read| {
        seen.clear();
        let mut note = |value: &[u8]| seen.push(u64::from_be_bytes(*value.first_chunk().unwrap()));
        for key in KEYS {
            assert!(read.get(key, &mut note).unwrap(), "a committed row is missing");
        }
        let scanned = read.scan(b"key", b"kez", &mut |_, value| {
            note(value);
            ControlFlow::Continue(())
        });
        scanned.unwrap();
    });
    outcome.unwrap();
    assert_eq!(seen.len(), 2 * KEYS.len());
    assert!(seen.iter().all(|number| *number == seen[0]), "a part of a commit: {seen:?}");
    seen[0]
}

/// Reads twice: at least the acknowledged commit, nothing older than before, and nothing that a power failure would lose.
fn reader(engine: &LoggedEngine, acknowledged: &AtomicU64, frames: &Frames) {
    let mut last = 0;
    for _ in 0..2 {
        let least = acknowledged.load(Ordering::Acquire).max(last);
        last = read(engine);
        assert!(last >= least, "{last} was read after {least}");
        let unsynced = frames.unsynced.load(Ordering::SeqCst);
        assert!(unsynced == 0 || unsynced > last, "{last} was read before the sync of {unsynced}");
    }
}

/// Commits some numbers beside two readers and `other` threads. Then the store contains the last one, also after it was
/// closed and opened again.
fn beside(settings: Settings, numbers: std::ops::Range<u64>, other: &[fn(&LoggedEngine)]) {
    let frames = Arc::new(Frames { current: AtomicU64::new(0), unsynced: AtomicU64::new(0) });
    let disk = Watched { disk: Arc::new(MemoryDisk::new()), frames: Arc::clone(&frames), is_log: false };
    let engine = create(disk.clone(), settings).unwrap();
    let last = numbers.end - 1;
    commit(&engine, numbers.start);
    let acknowledged = AtomicU64::new(numbers.start);
    thread::scope(|scope| {
        let (engine, acknowledged, frames) = (&engine, &acknowledged, &*frames);
        for _ in 0..2 {
            scope.spawn(move || reader(engine, acknowledged, frames));
        }
        for other in other {
            let other = *other;
            scope.spawn(move || other(engine));
        }
        for number in numbers.skip(1) {
            frames.current.store(number, Ordering::SeqCst);
            commit(engine, number);
            acknowledged.store(number, Ordering::Release);
        }
    });
    assert_eq!(read(&engine), last);
    engine.close().unwrap();
    assert_eq!(read(&open(disk, settings).unwrap()), last);
}

fn freeze(engine: &LoggedEngine) {
    for _ in 0..2 {
        engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
    }
}

fn write_frozen(engine: &LoggedEngine) {
    for _ in 0..2 {
        engine.shared.write_frozen().unwrap();
    }
}

#[test]
fn a_commit_is_visible_as_a_whole_while_layers_are_frozen_and_written() {
    explore(|| beside(TINY, 1..6, &[freeze, write_frozen]));
}

#[test]
fn a_commit_larger_than_a_frame_beside_a_checkpoint() {
    explore(|| beside(TINY, 5..9, &[freeze, write_frozen]));
}

/// A compaction succeeds, or fails because a reader has a snapshot. Nothing is lost in either case, and both occur.
#[test]
fn compaction_beside_readers_and_a_writer() {
    static OUTCOMES: [Counter; 2] = [const { Counter::new(0) }; 2];
    fn compact(engine: &LoggedEngine) {
        let is_read = match engine.compact() {
            Ok(()) => false,
            Err(StorageFault::BeingRead) => true,
            Err(fault) => panic!("{fault}"),
        };
        OUTCOMES[usize::from(is_read)].fetch_add(1, Ordering::SeqCst);
    }
    explore(|| beside(TINY, 1..4, &[freeze, compact]));
    let [compacted, read] = OUTCOMES.each_ref().map(|count| count.load(Ordering::SeqCst));
    assert!(compacted > 0 && read > 0, "{compacted} compactions, {read} beside a reader");
}

#[test]
fn reopening_beside_readers_and_a_writer() {
    explore(|| beside(TINY, 1..4, &[write_frozen, |engine| engine.recover().unwrap()]));
}

/// The thread of the log writes the layers, and its end does not lose what it has not written.
#[test]
fn the_thread_of_the_log_and_its_end() {
    let settings = Settings { half_bytes: 16 << 10, frame_bytes: 12 << 10, ..TINY };
    explore(move || beside(Settings { threaded: true, ..settings }, 5..18, &[]));
}
