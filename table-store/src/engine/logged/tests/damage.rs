//! Logs that were changed, exchanged or deleted.

use super::{
    platter::{Call, Recorder},
    *,
};
use crate::engine::BLOCK_BYTES;

/// The images of a store that was not closed, and its content after each commit. Each commit is one block of the log.
fn unclosed(commits: u64) -> ([Vec<u8>; 2], Vec<Rows>) {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    let mut contents = vec![Rows::new()];
    for number in 0..commits {
        let changes =
            vec![(format!("row {number}").into_bytes(), Some(vec![u8::try_from(number).unwrap(); 100]))];
        write(&engine, &changes, Persist::Now).unwrap();
        let mut content = contents.last().unwrap().clone();
        apply(&mut content, &changes);
        contents.push(content);
    }
    (disk.images(), contents)
}

fn opened(images: &[Vec<u8>; 2]) -> Result<Rows, Refusal> {
    let disk = Recorder::new(images.clone());
    match open(disk.clone(), SMALL) {
        Ok(engine) => Ok(rows(&engine)?),
        Err(refusal) => {
            assert!(disk.images() == *images, "a rejected store was changed");
            Err(refusal)
        }
    }
}

/// A store with frames of one block and of several, before and after a checkpoint, and a copy of its log after each
/// commit. All commits are synced.
struct Used {
    images: [Vec<u8>; 2],
    contents: Vec<Rows>,
    /// The log after each commit.
    logs: Vec<Vec<u8>>,
    /// Number of commits at the start of the last checkpoint.
    checkpoint: usize,
}

fn used(seed: u64, commits: u64) -> Used {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    let mut dice = Dice(seed);
    let mut used = Used {
        images: disk.images(),
        contents: vec![Rows::new()],
        logs: vec![disk.images()[1].clone()],
        checkpoint: 0,
    };
    for number in 1..=commits {
        if number == commits / 3 || number == 2 * commits / 3 {
            used.checkpoint = used.contents.len() - 1;
            engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
            engine.shared.write_frozen().unwrap();
        }
        let changes: Vec<_> = (0..=dice.roll(2))
            .map(|row| {
                let len = if dice.roll(3) == 0 { 5_000 } else { 100 };
                (format!("{number} {row}").into_bytes(), Some(vec![number.to_le_bytes()[0]; len]))
            })
            .collect();
        write(&engine, &changes, Persist::Now).unwrap();
        let mut content = used.contents.last().unwrap().clone();
        apply(&mut content, &changes);
        used.contents.push(content);
        used.logs.push(disk.images()[1].clone());
    }
    used.images = disk.images();
    used
}

impl Used {
    /// Opens the file with another log. Returns the number of commits in the store, or `None` if it is rejected as damaged.
    fn opened(&self, log: Vec<u8>, what: &str) -> Option<usize> {
        match opened(&[self.images[0].clone(), log]) {
            Ok(rows) => {
                Some(self.contents.iter().position(|content| *content == rows).expect("a state of the store"))
            }
            Err(Refusal::BadLog(_) | Refusal::NoLog(_)) => None,
            Err(refusal) => panic!("{what}: {refusal:?}"),
        }
    }
}

/// Blocks of a log that differ between two copies.
fn changed(before: &[u8], after: &[u8]) -> Vec<usize> {
    let block =
        |log: &[u8], number| log.get(number * BLOCK_BYTES..(number + 1) * BLOCK_BYTES).map(<[u8]>::to_vec);
    (0..after.len() / BLOCK_BYTES).filter(|number| block(before, *number) != block(after, *number)).collect()
}

fn place(dice: &mut Dice, bytes: u64) -> usize {
    usize::try_from(dice.roll(bytes)).unwrap()
}

/// Every block of the log is damaged in several ways. The store is complete, or it is rejected. Only a last frame whose
/// blocks contain other bytes or what they contained before is like a frame that a power failure has torn.
#[test]
fn no_damage_of_a_block_loses_a_commit_before_the_last() {
    for seed in 1..4 {
        let used = used(seed, 24);
        let (log, last) = (&used.images[1], used.contents.len() - 1);
        let [.., before, _] = &used.logs[..] else { unreachable!() };
        let in_last = changed(before, log);
        assert!(log.len() / BLOCK_BYTES >= 18 && !in_last.is_empty());
        let (mut rejected, mut torn) = (0, 0);
        for block in 0..log.len() / BLOCK_BYTES {
            let range = block * BLOCK_BYTES..(block + 1) * BLOCK_BYTES;
            let mut dice = Dice(seed + block as u64);
            let mut damage = |kind: &str| {
                let mut log = log.clone();
                match kind {
                    "zeros" => log[range.clone()].fill(0),
                    "garbage" => log[range.clone()].fill_with(|| dice.roll(256).to_le_bytes()[0]),
                    "garbage sector" => log[range.start + 1024..range.start + 1536]
                        .fill_with(|| dice.roll(256).to_le_bytes()[0]),
                    "bit" => log[range.start + place(&mut dice, 4_096)] ^= 1 << dice.roll(8),
                    "bit of header" => log[range.start + place(&mut dice, 64)] ^= 1 << dice.roll(8),
                    "neighbor" if block > 2 => {
                        log.copy_within(range.start - BLOCK_BYTES..range.start, range.start);
                    }
                    "swapped" if block > 2 => {
                        let (left, right) = log.split_at_mut(range.start);
                        left[range.start - BLOCK_BYTES..].swap_with_slice(&mut right[..BLOCK_BYTES]);
                    }
                    "stale" => {
                        let older = used.logs.iter().rev().find_map(|older| {
                            older.get(range.clone()).filter(|older| **older != log[range.clone()])
                        });
                        if let Some(older) = older {
                            log[range.clone()].copy_from_slice(older);
                        }
                    }
                    _ => {}
                }
                (kind.to_owned(), log)
            };
            let kinds = [
                "zeros",
                "garbage",
                "garbage sector",
                "bit",
                "bit of header",
                "neighbor",
                "swapped",
                "stale",
            ];
            for (kind, damaged) in kinds.map(&mut damage) {
                let what = format!("seed {seed}, block {block}, {kind}");
                let found = used.opened(damaged, &what);
                rejected += usize::from(found.is_none());
                let may_be_torn = in_last.contains(&block)
                    && ["garbage", "garbage sector", "bit", "stale"].contains(&&*kind);
                torn += usize::from(found == Some(last - 1));
                let expected =
                    found.is_none_or(|found| found == last) || may_be_torn && found == Some(last - 1);
                assert!(expected, "{what}: {found:?} of {last}");
            }
        }
        assert!(rejected > 60 && torn > 0, "{rejected} {torn}");
        assert_eq!(used.opened(log.clone(), "unchanged"), Some(last));
    }
}

#[test]
fn a_log_that_was_cut_short_or_whose_end_was_overwritten_is_rejected() {
    let used = used(7, 24);
    let (log, last) = (&used.images[1], used.contents.len() - 1);
    for block in 0..log.len() / BLOCK_BYTES {
        let at = block * BLOCK_BYTES;
        for cut in [at, at + 1, at + 4_095] {
            assert_eq!(used.opened(log[..cut].to_vec(), "cut"), None, "cut at {cut}");
            let mut zeros = log.clone();
            zeros[cut..].fill(0);
            let found = used.opened(zeros, "zeros");
            // The end of the last block is a part of a filler, of which only the header is not zero.
            let in_filler = cut > at && block + 1 == log.len() / BLOCK_BYTES;
            assert!(found.is_none() || in_filler && found == Some(last), "zeros from {cut}: {found:?}");
        }
        let mut dice = Dice(5 + block as u64);
        let mut garbage = log.clone();
        garbage[at..].fill_with(|| dice.roll(256).to_le_bytes()[0]);
        let found = used.opened(garbage, "garbage");
        // Few blocks of garbage can be a frame that a power failure has torn.
        let few = log.len() / BLOCK_BYTES - block <= 4;
        assert!(found.is_none_or(|found| few && found + 4 >= last), "garbage from {at}: {found:?}");
    }
}

/// The file is newer than the log: it was written by a checkpoint that the log does not know.
#[test]
fn an_older_copy_of_the_log_is_rejected() {
    for seed in 1..4 {
        let used = used(seed, 24);
        let last = used.contents.len() - 1;
        for (copy, log) in used.logs.iter().enumerate() {
            let found = used.opened(log.clone(), "older");
            // A copy that was made after the last checkpoint began is the pair as it was at that time.
            let expected = if copy <= used.checkpoint { None } else { Some(copy) };
            assert!(found == expected, "seed {seed}: {found:?} with the log after {copy} of {last}");
        }
    }
}

/// After a commit to the file the log starts again, and its frames replace those of the copy.
#[test]
fn an_older_copy_of_a_log_that_started_again_is_rejected() {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    let put = |key: &str, len| {
        write(&engine, &[(key.as_bytes().to_vec(), Some(vec![1; len]))], Persist::Now).unwrap();
        disk.images()[1].clone()
    };
    let copies = [put("a", 10), put("b", 10), put("c", 10)];
    put("large", 20_000);
    let after = put("d", 10);
    let file = disk.images()[0].clone();
    for copy in copies {
        let result = opened(&[file.clone(), copy]);
        assert!(matches!(&result, Err(Refusal::BadLog(what)) if what.contains("older copy")), "{result:?}");
    }
    assert_eq!(opened(&[file, after]).unwrap().len(), 5);
}

/// The other copy of the head is older, but the log is not.
#[test]
fn a_changed_bit_in_the_newer_head_is_named() {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    for (key, len) in [("a", 10), ("large", 20_000), ("b", 10)] {
        write(&engine, &[(key.as_bytes().to_vec(), Some(vec![1; len]))], Persist::Now).unwrap();
    }
    let [file, log] = disk.images();
    let mut named = 0;
    for slot in [0, 1] {
        let mut changed = log.clone();
        changed[slot * BLOCK_BYTES + 36] ^= 1;
        match opened(&[file.clone(), changed]) {
            Ok(rows) => assert_eq!(rows.len(), 3),
            Err(Refusal::BadLog(what)) => {
                assert!(what.starts_with("one copy of its head is damaged"), "{what}");
                named += 1;
            }
            Err(refusal) => panic!("{refusal:?}"),
        }
    }
    assert_eq!(named, 1, "the file has recorded the number of the newer one");
}

/// The power fails while a head is written after an opening. The head that the file has recorded must still exist.
#[test]
fn a_torn_head_is_not_the_only_one_that_the_file_accepts() {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    let put = |engine: &LoggedEngine, key: &str| {
        write(engine, &[(key.as_bytes().to_vec(), Some(b"1".to_vec()))], Persist::Now).unwrap();
    };
    put(&engine, "first");
    engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
    engine.shared.write_frozen().unwrap();
    let mut images = disk.images();
    let disk = Recorder::new(images.clone());
    let engine = open(disk.clone(), SMALL).unwrap();
    put(&engine, "second");
    engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
    let mut heads = 0;
    for (file, call) in &*disk.calls.lock().unwrap() {
        match call {
            Call::SetLen(len) => images[*file].resize(usize::try_from(*len).unwrap(), 0),
            Call::Write(at, bytes) => {
                let at = usize::try_from(*at).unwrap();
                let range = at..at + bytes.len();
                if *file == 1 && at < 2 * BLOCK_BYTES {
                    heads += 1;
                    let mut torn = images.clone();
                    torn[1][range.clone()].fill(0xa5);
                    assert!(opened(&torn).unwrap().contains_key(&b"first"[..]), "head {heads} at {at}");
                }
                images[*file][range].copy_from_slice(bytes);
            }
            Call::Sync | Call::FailedSync => {}
        }
    }
    assert!(heads > 0);
}

#[test]
fn a_log_that_is_missing_or_of_another_store_is_reported() {
    let ([file, log], _) = unclosed(8);
    let missing = opened(&[file.clone(), Vec::new()]);
    assert!(matches!(missing, Err(Refusal::NoLog("does not exist, or is empty"))), "{missing:?}");
    let ([_, other], _) = unclosed(8);
    let foreign = opened(&[file.clone(), other]);
    assert!(matches!(foreign, Err(Refusal::NoLog(found)) if found.contains("another store")), "{foreign:?}");
    // The head has two copies.
    for slot in [0, 1] {
        let mut damaged = log.clone();
        damaged[slot * BLOCK_BYTES + 20] ^= 1;
        assert_eq!(opened(&[file.clone(), damaged]).unwrap().len(), 8);
    }
    let mut headless = log;
    headless[20] ^= 1;
    headless[BLOCK_BYTES + 20] ^= 1;
    assert!(matches!(opened(&[file, headless]), Err(Refusal::BadLog(_))));
}

/// Only a log that the store knows, and what the creation of a log leaves, is deleted.
#[test]
fn a_file_of_any_size_that_is_not_the_log_is_kept() {
    let ([file, log], _) = unclosed(3);
    let disk = Recorder::new([file, log]);
    open(disk.clone(), SMALL).unwrap().close().unwrap();
    let file = disk.images()[0].clone();
    let (other, _) = unclosed(3);
    for len in [1, 100, 512, BLOCK_BYTES, 2 * BLOCK_BYTES, 3 * BLOCK_BYTES] {
        for foreign in [vec![7; len], vec![0; len]] {
            let unborn = len == 2 * BLOCK_BYTES && foreign[0] == 0;
            let result = opened(&[file.clone(), foreign]);
            assert_eq!(matches!(result, Err(Refusal::StrayLog(_))), !unborn, "{len}: {result:?}");
        }
    }
    let result = opened(&[file, other[1].clone()]);
    assert!(matches!(result, Err(Refusal::StrayLog("is the log of another store"))), "{result:?}");
}

#[test]
fn a_left_over_log_is_deleted() {
    let (images, contents) = unclosed(3);
    let disk = Recorder::new(images.clone());
    let engine = open(disk.clone(), SMALL).unwrap();
    engine.close().unwrap();
    let [file, log] = disk.images();
    assert_eq!(log, [], "a close deletes the log");
    let disk = Recorder::new([file, images[1].clone()]);
    let engine = open(disk.clone(), SMALL).unwrap();
    assert_eq!(rows(&engine).unwrap(), contents[3]);
    assert_eq!(disk.images()[1], []);
}

/// A state that was torn while the log was named or deleted: the log is used, and its frames are known.
#[test]
fn a_torn_state_loses_no_frame() {
    let ([mut file, log], contents) = unclosed(3);
    file[BLOCK_BYTES + 100] ^= 1;
    assert_eq!(opened(&[file, log]).unwrap(), contents[3]);
}

/// Frame 5 is lost and frame 6 was not synced. Later frames 5 and 6 must not be confused with it.
#[test]
fn frames_after_a_lost_frame_are_never_applied() {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), Settings { direct_commits: 0, ..SMALL }).unwrap();
    let put = |engine: &LoggedEngine, key: &str, persist| {
        write(engine, &[(key.as_bytes().to_vec(), Some(b"1".to_vec()))], persist).unwrap();
    };
    for number in 1..=4 {
        put(&engine, &format!("{number}"), Persist::Now);
    }
    let first = disk.images()[1].clone();
    for lost in ["lost 5", "discarded 6", "discarded 7"] {
        put(&engine, lost, Persist::Later);
    }
    let [file, mut log] = disk.images();
    // Frame 5 was lost: its block contains the filler.
    let filler = first[6 * BLOCK_BYTES..7 * BLOCK_BYTES].to_vec();
    log[6 * BLOCK_BYTES..7 * BLOCK_BYTES].copy_from_slice(&filler);
    let disk = Recorder::new([file, log]);
    for turn in 0..3 {
        let engine = open(disk.clone(), SMALL).unwrap();
        assert_eq!(rows(&engine).unwrap().len(), 4 + turn, "turn {turn}");
        put(&engine, &format!("new {turn}"), Persist::Now);
    }
}

#[test]
fn the_first_log_sets_a_feature_bit_that_stays() {
    let disk = Recorder::new([Vec::new(), Vec::new()]);
    let engine = create(disk.clone(), SMALL).unwrap();
    let features = || u32::from_le_bytes(disk.images()[0][20..24].try_into().unwrap());
    write(&engine, &[(b"a".to_vec(), Some(Vec::new()))], Persist::Now).unwrap();
    assert_eq!((features(), disk.images()[1].len()), (2, 0), "the first commit needs no log");
    write(&engine, &[(b"b".to_vec(), Some(Vec::new()))], Persist::Now).unwrap();
    assert_eq!(features(), 3);
    engine.close().unwrap();
    assert_eq!((features(), disk.images()[1].len()), (3, 0));
    // A damaged identity is read from its copy and repaired.
    let [mut file, log] = disk.images();
    file[..512].fill(0xa5);
    let disk = Recorder::new([file, log]);
    assert_eq!(rows(&open(disk.clone(), SMALL).unwrap()).unwrap().len(), 2);
    assert_eq!(u32::from_le_bytes(disk.images()[0][20..24].try_into().unwrap()), 3);
}

/// The number of the log that a recovery writes to the file is above that of every copy from before it.
#[test]
fn a_copy_of_the_log_from_before_an_opening_is_rejected() {
    let disk = Recorder::new(closed(SMALL));
    let put = |engine: &LoggedEngine, row: &str| {
        write(engine, &[(row.as_bytes().to_vec(), Some(vec![7; 30]))], Persist::Now).unwrap();
    };
    let engine = open(disk.clone(), SMALL).unwrap();
    (0..10).for_each(|row| put(&engine, &format!("first {row}")));
    engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
    engine.shared.write_frozen().unwrap();
    put(&engine, "second");
    let [_, copy] = disk.images();
    put(&engine, "third");

    // Each process ends without a close.
    let mut images = disk.images();
    for row in ["fourth", "fifth"] {
        let disk = Recorder::new(images);
        let engine = open(disk.clone(), SMALL).unwrap();
        engine.shared.write_frozen().unwrap();
        put(&engine, row);
        images = disk.images();
        let mixed = Recorder::new([images[0].clone(), copy.clone()]);
        assert!(open(mixed, SMALL).is_err(), "{row}");
    }
    assert!(rows(&open(Recorder::new(images), SMALL).unwrap()).unwrap().contains_key(&b"fifth"[..]));
}
