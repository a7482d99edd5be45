//! Ends of the process and power failures before every call of the disks.

use std::io::ErrorKind;

use super::{
    platter::{Call, Chances, Failure, On, Platter, Recorder},
    *,
};

/// A recorded use of a store: the calls, and what was acknowledged before each of them.
struct Recorded {
    start: [Vec<u8>; 2],
    calls: Vec<(usize, Call)>,
    /// Number of calls when commit `n` was started, and when it was acknowledged; the latter for synced commits.
    commits: Vec<(usize, Option<usize>)>,
    /// Content after each number of commits; both contents after a commit with an error.
    contents: Vec<Vec<Rows>>,
}

/// Writes `commits` commits and checkpoints in random order. Also closes and reopens the store.
fn record(
    disk: &Recorder,
    engine: LoggedEngine,
    start: [Vec<u8>; 2],
    dice: &mut Dice,
    commits: u64,
    faulty: bool,
) -> Recorded {
    let calls = || disk.calls.lock().unwrap().len();
    let mut engine = engine;
    let mut recorded = Recorded {
        start,
        calls: Vec::new(),
        commits: Vec::new(),
        contents: vec![vec![rows(&engine).unwrap()]],
    };
    for number in 0..commits {
        let changes = dice.changes(number);
        let persist = if dice.roll(4) == 0 { Persist::Later } else { Persist::Now };
        let started = calls();
        let before = rows(&engine).unwrap();
        let mut content = before.clone();
        apply(&mut content, &changes);
        if faulty && dice.roll(3) == 0 {
            let after = usize::try_from(dice.roll(2)).unwrap();
            *disk.failure.lock().unwrap() =
                Failure { after, kind: Some(ErrorKind::Other), once: true, on: On::Sync };
        }
        let written = write(&engine, &changes, persist);
        *disk.failure.lock().unwrap() = Failure::default();
        let visible = rows(&engine).unwrap();
        let known = written.is_ok() && persist == Persist::Now;
        recorded.commits.push((started, known.then(calls)));
        if written.is_ok() {
            assert_eq!(visible, content, "commit {number}");
            recorded.contents.push(vec![content]);
        } else {
            assert!(faulty && (visible == content || visible == before), "commit {number}: {written:?}");
            recorded.contents.push(vec![before, content]);
        }
        match dice.roll(40) {
            0..4 => engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap(),
            4..8 => engine.shared.write_frozen().unwrap(),
            8 => engine.write(&mut |_| Verdict::Commit(Persist::Now)).unwrap(),
            9 => {
                engine.close().unwrap();
                engine = open(disk.clone(), SMALL).unwrap();
            }
            10 => engine.compact().unwrap(),
            11 => {
                drop(engine);
                engine = open(disk.clone(), SMALL).unwrap();
            }
            _ => {}
        }
        assert_eq!(rows(&engine).unwrap(), visible, "commit {number}");
    }
    if dice.roll(2) == 0 {
        engine.close().unwrap();
    }
    recorded.calls = disk.calls.lock().unwrap().clone();
    recorded
}

/// Cuts the power before calls of a recording, checks what is left, and uses it again. Returns the number of points.
fn cut(recorded: &Recorded, chances: &[Chances], every: usize, dice: &mut Dice, nested: u64) -> usize {
    let mut platter = Platter::new(recorded.start.clone());
    let mut points = 0;
    for (at, (file, call)) in recorded.calls.iter().enumerate() {
        if at % every == 0 {
            for chances in chances {
                let image = platter.cut(*chances, dice);
                survive(recorded, at, *chances, image, dice, nested);
                points += 1;
            }
        }
        platter.pass(*file, call, dice);
    }
    points
}

fn survive(
    recorded: &Recorded,
    at: usize,
    chances: Chances,
    image: [Vec<u8>; 2],
    dice: &mut Dice,
    nested: u64,
) {
    let disk = Recorder::new(image.clone());
    let engine =
        open(disk.clone(), SMALL).unwrap_or_else(|refusal| panic!("call {at}, {chances:?}: {refusal:?}"));
    let content = rows(&engine).unwrap();
    let synced =
        recorded.commits.iter().rposition(|(_, acknowledged)| acknowledged.is_some_and(|end| end <= at));
    let started = recorded.commits.iter().filter(|(start, _)| *start <= at).count();
    let least = synced.map_or(0, |commit| commit + 1);
    let found = (least..=started).rev().find(|commits| recorded.contents[*commits].contains(&content));
    assert!(found.is_some(), "call {at}, {chances:?}: not a state from {least} to {started}");
    if nested > 0 && dice.roll(4) == 0 {
        let again = record(&disk, engine, image, dice, 6, false);
        cut(&again, &[chances], 7, dice, nested - 1);
    } else {
        write(&engine, &[(b"after".to_vec(), Some(b"1".to_vec()))], Persist::Now).unwrap();
        let mut content = content;
        content.insert(b"after".to_vec(), b"1".to_vec());
        let copy = open(Recorder::new(disk.images()), SMALL).unwrap();
        assert_eq!(rows(&copy).unwrap(), content, "call {at}, {chances:?}: after another end");
    }
}

fn recorded(seed: u64, commits: u64, faulty: bool) -> (Recorded, Dice) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    // The creation of a store is not part of this proof: its file has no name yet.
    let start = closed(SMALL);
    let disk = Recorder::new(start.clone());
    let engine = open(disk.clone(), SMALL).unwrap();
    (record(&disk, engine, start, &mut dice, commits, faulty), dice)
}

const KILL: Chances = Chances { kept: 100, garbage: 0 };
const POWER: [Chances; 4] = [
    Chances { kept: 0, garbage: 0 },
    Chances { kept: 50, garbage: 0 },
    Chances { kept: 90, garbage: 0 },
    Chances { kept: 50, garbage: 15 },
];

#[test]
fn an_ended_process_loses_nothing_acknowledged() {
    let (recorded, mut dice) = recorded(1, 60, false);
    // Without a power failure, commits that were not synced survive too.
    let mut all = recorded;
    for commit in &mut all.commits {
        commit.1 = commit.1.or(Some(usize::MAX));
    }
    let points = cut(&all, &[KILL], 3, &mut dice, 1);
    assert!(points > 100, "{points}");
}

#[test]
fn a_power_failure_loses_nothing_synced_and_no_part_of_a_commit() {
    for seed in 2..4 {
        let (recorded, mut dice) = recorded(seed, 40, false);
        let points = cut(&recorded, &POWER, 7, &mut dice, 1);
        assert!(points > 100, "{points}");
    }
}

/// After a failed sync, the system may have dropped any of the writes, and a later sync succeeds without them.
#[test]
fn writes_that_a_failed_sync_dropped_are_not_needed() {
    let (mut points, mut failed) = (0, 0);
    for seed in 11..14 {
        let (recorded, mut dice) = recorded(seed, 40, true);
        failed += recorded.calls.iter().filter(|(_, call)| matches!(call, Call::FailedSync)).count();
        points += cut(&recorded, &POWER[..3], 7, &mut dice, 0);
    }
    assert!(points > 150 && failed > 5, "{points} points, {failed} failed syncs");
}

/// The close does not wait until the deletion of the log is durable.
#[test]
fn a_log_whose_deletion_was_lost_is_known_after_uses_without_a_log() {
    let start = closed(SMALL);
    let disk = Recorder::new(start.clone());
    for commits in [5, 0, 1, 0] {
        let engine = open(disk.clone(), SMALL).unwrap();
        for number in 0..commits {
            write(&engine, &[(format!("{number}").into_bytes(), Some(vec![1]))], Persist::Now).unwrap();
        }
        engine.close().unwrap();
    }
    let (mut dice, mut platter) = (Dice(1), Platter::new(start));
    for (file, call) in &*disk.calls.lock().unwrap() {
        platter.pass(*file, call, &mut dice);
    }
    let image = platter.cut(Chances { kept: 0, garbage: 0 }, &mut dice);
    assert!(!image[1].is_empty(), "the log exists again");
    let left = open(Recorder::new(image), SMALL).unwrap();
    assert_eq!(rows(&left).unwrap().len(), 5);
}

/// The process ends after a failed sync. The next process can read the frame, although it may not be on the disk.
#[test]
fn frames_of_a_failed_sync_that_the_next_process_reads_are_written_again() {
    let put = |engine: &LoggedEngine, key: &str| {
        write(engine, &[(key.as_bytes().to_vec(), Some(b"1".to_vec()))], Persist::Now)
    };
    let mut dropped = 0;
    for seed in 1..40 {
        let start = closed(SMALL);
        let disk = Recorder::new(start.clone());
        let engine = open(disk.clone(), SMALL).unwrap();
        (0..4).for_each(|number| put(&engine, &format!("synced {number}")).unwrap());
        *disk.failure.lock().unwrap() =
            Failure { after: 0, kind: Some(ErrorKind::Other), once: false, on: On::Sync };
        put(&engine, "unsure").unwrap_err();
        drop(engine);
        *disk.failure.lock().unwrap() = Failure::default();
        let engine = open(disk.clone(), SMALL).unwrap();
        let read = rows(&engine).unwrap();
        assert!(read.contains_key(&b"unsure"[..]), "the system still has the frame");
        put(&engine, "after").unwrap();
        let expected = rows(&engine).unwrap();

        let mut dice = Dice(seed);
        let mut platter = Platter::new(start);
        for (file, call) in &*disk.calls.lock().unwrap() {
            platter.pass(*file, call, &mut dice);
        }
        let image = platter.cut(Chances { kept: 0, garbage: 0 }, &mut dice);
        // Frame 1 is the commit after the one without a log.
        dropped += usize::from(image[1][5 * 4096..6 * 4096] != disk.images()[1][5 * 4096..6 * 4096]);
        let left = open(Recorder::new(image), SMALL).unwrap_or_else(|refusal| panic!("{seed}: {refusal:?}"));
        assert_eq!(rows(&left).unwrap(), expected, "seed {seed}");
    }
    assert!(dropped > 5, "{dropped} dropped frames");
}

#[test]
#[ignore = "takes minutes; run it before a release"]
fn a_power_failure_loses_nothing_at_many_more_points() {
    for seed in 5..60 {
        let (recorded, mut dice) = recorded(seed, 60, seed % 3 == 0);
        cut(&recorded, &POWER, 1, &mut dice, 2);
    }
}
