//! Readers during commits, freezes and checkpoints; and random programs compared with a map.

use std::{
    sync::atomic::{AtomicBool, AtomicU64},
    thread,
};

use super::*;
use crate::MemoryDisk;

/// Every commit writes its number to all keys, so a reader must see one number in all of them, and never an older one
/// than before.
#[test]
fn readers_see_one_commit_while_layers_change() {
    let settings = Settings { half_bytes: 40 << 10, direct_commits: 0, threaded: true, ..SMALL };
    let engine = create(MemoryDisk::new(), settings).unwrap();
    let keys = || (0..20).map(|key| format!("key {key:02}").into_bytes());
    let commit = |number: u64| {
        // Some commits are larger than a frame.
        let len = if number % 50 == 7 { 900 } else { 8 };
        let mut value = number.to_be_bytes().to_vec();
        value.resize(len, 0);
        let rows: Vec<_> = keys().map(|key| (key, Some(value.clone()))).collect();
        write(&engine, &rows, Persist::Now).unwrap();
    };
    commit(1);
    let (acknowledged, ended) = (AtomicU64::new(1), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ended.load(Ordering::Acquire) {
                    let least = acknowledged.load(Ordering::Acquire);
                    let mut seen = Vec::new();
                    engine
                        .read(&mut |read| {
                            seen.clear();
                            let mut note = |value: &[u8]| {
                                seen.push(u64::from_be_bytes(*value.first_chunk().unwrap()));
                            };
                            for key in keys() {
                                assert!(read.get(&key, &mut note).unwrap());
                            }
                            read.scan(b"key", b"kez", &mut |_, value| {
                                note(value);
                                ControlFlow::Continue(())
                            })
                            .unwrap();
                        })
                        .unwrap();
                    assert_eq!(seen.len(), 40);
                    assert!(
                        seen.iter().all(|number| *number == seen[0] && *number >= least),
                        "{seen:?} {least}"
                    );
                }
            });
        }
        for number in 2..1_500 {
            commit(number);
            acknowledged.store(number, Ordering::Release);
        }
        ended.store(true, Ordering::Release);
    });
    engine.close().unwrap();
}

/// Waiting for the reader would block later readers. Nothing is lost, and the reader continues.
#[test]
fn compaction_beside_a_reader_is_an_error_with_a_remedy() {
    let disk = MemoryDisk::new();
    let engine = create(disk.clone(), SMALL).unwrap();
    let mut content = Rows::new();
    let mut dice = Dice(11);
    let mut commit = |engine: &LoggedEngine, number| {
        let changes = dice.changes(number);
        write(engine, &changes, Persist::Now).unwrap();
        apply(&mut content, &changes);
        content.clone()
    };
    let mut expected = Rows::new();
    for number in 0..30 {
        expected = commit(&engine, number);
    }
    let mut calls = 0;
    let read = engine.read(&mut |read| {
        calls += 1;
        let fault = engine.compact().unwrap_err();
        assert!(matches!(fault, StorageFault::BeingRead), "{fault}");
        assert!(fault.to_string().contains("close the reader"), "{fault}");
        assert_eq!(read_all(read).unwrap(), expected);
    });
    read.unwrap();
    assert_eq!((calls, rows(&engine).unwrap()), (1, expected));
    let expected = commit(&engine, 30);
    engine.compact().unwrap();
    assert_eq!(rows(&engine).unwrap(), expected);
    engine.close().unwrap();
    assert_eq!(rows(&open(disk, SMALL).unwrap()).unwrap(), expected);
}

/// The same program on a map gives the same results.
#[test]
fn random_programs_have_the_results_of_a_map() {
    for seed in 1..40_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let disk = MemoryDisk::new();
        let mut engine = create(disk.clone(), SMALL).unwrap();
        let mut content = Rows::new();
        for number in 0..60 {
            let changes = dice.changes(number);
            let mut expected = content.clone();
            apply(&mut expected, &changes);
            let discards = dice.roll(6) == 0;
            engine
                .write(&mut |write| {
                    for (key, value) in &changes {
                        match value {
                            Some(value) => {
                                let mut value = value.clone();
                                checksum::seal(key, &mut value);
                                write.put(key, &value).unwrap();
                            }
                            None => write.remove(key).unwrap(),
                        }
                    }
                    assert_eq!(read_all(write).unwrap(), expected, "a transaction reads its writes");
                    if discards { Verdict::Discard } else { Verdict::Commit(Persist::Now) }
                })
                .unwrap();
            if !discards {
                content = expected;
            }
            match dice.roll(30) {
                0 => engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap(),
                1 => engine.shared.write_frozen().unwrap(),
                2 => engine.recover().unwrap(),
                3 => {
                    drop(engine);
                    engine = open(disk.clone(), SMALL).unwrap();
                }
                4 => {
                    engine.close().unwrap();
                    engine = open(disk.clone(), SMALL).unwrap();
                }
                _ => {}
            }
            assert_eq!(rows(&engine).unwrap(), content, "seed {seed}, commit {number}");
            let (from, to) = (format!("row {:02}", dice.roll(40)), format!("row {:02}", dice.roll(40)));
            let (from, to) = (from.as_bytes(), to.as_bytes());
            let mut found = Vec::new();
            let most = usize::try_from(1 + dice.roll(8)).unwrap();
            let mut take = |read: &dyn Read| {
                read.scan(from, to, &mut |key, _| {
                    found.push(key.to_vec());
                    if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })
            };
            engine.read(&mut |read| take(read).unwrap()).unwrap();
            let inside = content.keys().filter(|key| (from..to).contains(&&***key));
            assert!(found.iter().eq(inside.take(most)), "seed {seed}, commit {number}");
        }
    }
}
