//! Interleavings of commits, freezes, checkpoints and reads, chosen by a scheduler. Compiled with `--cfg shuttle` only:
//! `cargo xtask nightly interleavings`.

use std::env;

use shuttle::{
    Config, Runner,
    scheduler::{PctScheduler, RandomScheduler},
};

use super::{super::sync::thread, *};
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

/// Reads twice: at least the acknowledged commit, and nothing older than before.
fn reader(engine: &LoggedEngine, acknowledged: &AtomicU64) {
    let mut last = 0;
    for _ in 0..2 {
        let least = acknowledged.load(Ordering::Acquire).max(last);
        last = read(engine);
        assert!(last >= least, "{last} was read after {least}");
    }
}

/// Commits some numbers beside two readers and `other` threads. Then the store contains the last one, also after it was
/// closed and opened again.
fn beside(settings: Settings, numbers: std::ops::Range<u64>, other: &[fn(&LoggedEngine)]) {
    let disk = MemoryDisk::new();
    let engine = create(disk.clone(), settings).unwrap();
    let last = numbers.end - 1;
    commit(&engine, numbers.start);
    let acknowledged = AtomicU64::new(numbers.start);
    thread::scope(|scope| {
        let (engine, acknowledged) = (&engine, &acknowledged);
        for _ in 0..2 {
            scope.spawn(move || reader(engine, acknowledged));
        }
        for other in other {
            let other = *other;
            scope.spawn(move || other(engine));
        }
        for number in numbers.skip(1) {
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

/// A compaction fails while a reader has a snapshot. Nothing is lost in either case.
#[test]
fn compaction_beside_readers_and_a_writer() {
    explore(|| beside(TINY, 1..4, &[freeze, |engine| drop(engine.compact())]));
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
