//! Failures of either disk at every call.

use std::io::ErrorKind;

use super::{
    platter::{Failure, On, Recorder},
    *,
};

/// A store with frames in both layers, and its content.
fn used(dice: &mut Dice) -> (Recorder, LoggedEngine, Rows) {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), SMALL).unwrap();
    let mut content = Rows::new();
    for number in 0..12 {
        let changes = dice.changes(number);
        write(&engine, &changes, if number == 11 { Persist::Later } else { Persist::Now }).unwrap();
        apply(&mut content, &changes);
        if number == 6 {
            engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
        }
    }
    (disk, engine, content)
}

/// Runs `step` while call `after` fails, and returns whether a call failed. The step changes `content` to `changed`.
fn fail(
    failure: Failure,
    seed: u64,
    changes: &[(Vec<u8>, Option<Vec<u8>>)],
    step: impl Fn(&LoggedEngine) -> Result<(), StorageFault>,
) -> bool {
    let what = format!("{failure:?}, seed {seed}");
    let (disk, engine, mut content) = used(&mut Dice(seed));
    let before = content.clone();
    apply(&mut content, changes);
    let after = content;
    *disk.failure.lock().unwrap() = failure;
    let result = step(&engine);
    let failed = disk.failure.lock().unwrap().after == 0;
    if let Err(fault) = &result {
        let full = failure.kind == Some(ErrorKind::StorageFull);
        let expected = matches!(fault, StorageFault::DiskFull { .. }) == full;
        assert!(failed && expected, "{what}: {fault}");
    }
    // Reads continue while the disk fails.
    let visible = rows(&engine).unwrap();
    assert!(visible == after || (visible == before && result.is_err()), "{what}: {result:?}");
    *disk.failure.lock().unwrap() = Failure::default();

    // The process ends now: the outcome may still change.
    let killed = rows(&open(Recorder::new(disk.images()), SMALL).unwrap()).unwrap();
    assert!(killed == after || (killed == before && result.is_err()), "{what}: after an end");
    // Otherwise the outcome stays.
    let changes = [(b"later".to_vec(), Some(b"1".to_vec()))];
    write(&engine, &changes, Persist::Now).unwrap();
    let mut content = rows(&engine).unwrap();
    assert_eq!(content.remove(&b"later"[..]), Some(b"1".to_vec()), "{what}");
    assert!(content == visible || result.is_err() && content == after, "{what}: the next commit");
    let killed = rows(&open(Recorder::new(disk.images()), SMALL).unwrap()).unwrap();
    apply(&mut content, &changes);
    assert_eq!(killed, content, "{what}: after a commit and an end");
    engine.close().unwrap();
    assert_eq!(rows(&open(disk, SMALL).unwrap()).unwrap(), content, "{what}: after a close");
    failed
}

fn every_call(
    changes: &[(Vec<u8>, Option<Vec<u8>>)],
    step: impl Fn(&LoggedEngine) -> Result<(), StorageFault>,
) {
    for kind in [ErrorKind::Other, ErrorKind::StorageFull] {
        for once in [true, false] {
            for after in 0.. {
                if !fail(
                    Failure { after, kind: Some(kind), once, on: On::Change },
                    after as u64 + 77,
                    changes,
                    &step,
                ) {
                    assert!(after > 0);
                    break;
                }
            }
        }
    }
}

fn change(len: usize) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
    vec![
        (b"row 01".to_vec(), Some(vec![3; len])),
        (b"row 02".to_vec(), None),
        (b"new".to_vec(), Some(vec![4; 9])),
    ]
}

#[test]
fn a_commit_is_complete_or_absent_whichever_call_fails() {
    for len in [10, 20_000] {
        let changes = change(len);
        every_call(&changes, |engine| write(engine, &changes, Persist::Now));
    }
}

#[test]
fn a_failed_flush_loses_no_commit() {
    every_call(&[], |engine| engine.write(&mut |_| Verdict::Commit(Persist::Now)));
}

#[test]
fn a_failed_checkpoint_loses_no_commit() {
    every_call(&[], |engine| engine.shared.write_frozen());
    every_call(&[], |engine| engine.shared.switch(&mut lock(&engine.shared.writer)));
}

/// The log is created by the first commit with a frame.
#[test]
fn a_log_that_cannot_be_created_is_not_needed() {
    for kind in [ErrorKind::Other, ErrorKind::StorageFull] {
        for after in 0.. {
            let disk = Recorder::new([Vec::new(), Vec::new()]);
            let engine = create(disk.clone(), SMALL).unwrap();
            write(&engine, &change(10), Persist::Now).unwrap();
            let changes = [(b"first".to_vec(), Some(b"1".to_vec()))];
            *disk.failure.lock().unwrap() = Failure { after, kind: Some(kind), once: true, on: On::Change };
            let result = write(&engine, &changes, Persist::Now);
            let failed = disk.failure.lock().unwrap().kind.is_none();
            *disk.failure.lock().unwrap() = Failure::default();
            let seen = rows(&engine).unwrap();
            assert!(seen.contains_key(&b"first"[..]) || result.is_err(), "{kind:?} {after}");
            let killed = rows(&open(Recorder::new(disk.images()), SMALL).unwrap()).unwrap();
            assert!(killed == seen || result.is_err(), "{kind:?} {after}");
            write(&engine, &changes, Persist::Now).unwrap();
            let killed = rows(&open(Recorder::new(disk.images()), SMALL).unwrap()).unwrap();
            assert_eq!(killed, rows(&engine).unwrap(), "{kind:?} {after}");
            if !failed {
                break;
            }
        }
    }
}

/// The engine rejects all reads of the file after an error, until the file is reopened.
#[test]
fn a_failed_read_in_a_commit_affects_only_this_commit() {
    let (disk, engine, content) = used(&mut Dice(5));
    engine.close().unwrap();
    // Without a cache every read reaches the disk.
    let engine = open_with(disk.clone(), SMALL, 0).unwrap();
    *disk.failure.lock().unwrap() =
        Failure { after: 0, kind: Some(ErrorKind::Other), once: true, on: On::Read };
    let mut outcome = Ok(Rows::new());
    engine
        .write(&mut |write| {
            outcome = read_all(write);
            Verdict::Discard
        })
        .unwrap();
    assert!(matches!(outcome, Err(StorageFault::Io(_))));
    let read = |write: &mut dyn Write| {
        assert_eq!(read_all(write).unwrap(), content);
        Verdict::Commit(Persist::Now)
    };
    engine.write(&mut |write| read(write)).unwrap();
}

/// The recovered frames cannot be written to the file: reads are possible, and writes retry.
#[test]
fn a_store_opens_on_a_full_disk() {
    let (mut opened, mut refused) = (0, 0);
    for after in 0..100 {
        let (disk, _engine, content) = used(&mut Dice(9));
        let disk = Recorder::new(disk.images());
        *disk.failure.lock().unwrap() =
            Failure { after, kind: Some(ErrorKind::StorageFull), once: false, on: On::Change };
        let engine = match open(disk.clone(), SMALL) {
            Ok(engine) => engine,
            // The first blocks could not be overwritten.
            Err(Refusal::Storage(StorageFault::DiskFull { .. })) => {
                refused += 1;
                continue;
            }
            Err(refusal) => panic!("{after}: {refusal:?}"),
        };
        assert_eq!(rows(&engine).unwrap(), content, "{after}");
        let changes = change(10);
        let result = write(&engine, &changes, Persist::Now);
        opened += usize::from(matches!(result, Err(StorageFault::DiskFull { .. })));
        *disk.failure.lock().unwrap() = Failure::default();
        write(&engine, &changes, Persist::Now).unwrap();
        let mut content = content;
        apply(&mut content, &changes);
        assert_eq!(rows(&open(Recorder::new(disk.images()), SMALL).unwrap()).unwrap(), content, "{after}");
    }
    assert!(opened > 0 && refused <= 4, "{opened}, {refused}");
}
