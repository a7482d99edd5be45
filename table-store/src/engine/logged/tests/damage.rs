//! Logs that were changed, exchanged or deleted.

use super::{platter::Recorder, *};
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

fn is_corrupt(result: &Result<Rows, Refusal>) -> bool {
    matches!(result, Err(Refusal::Storage(StorageFault::Corrupt { .. }) | Refusal::Damaged(_)))
}

#[test]
fn a_damaged_frame_before_the_last_is_reported_and_never_dropped() {
    let ([file, log], contents) = unclosed(8);
    let last = contents.len() - 1;
    for frame in 1..=last {
        let at = frame * BLOCK_BYTES;
        for place in [0, 17, 25, 33, 37, 41, 61, 70, 160] {
            let mut changed = log.clone();
            changed[at + place] ^= 1 << (place % 8);
            let result = opened(&[file.clone(), changed]);
            if frame < last {
                assert!(is_corrupt(&result), "frame {frame}, byte {place}: {result:?}");
            } else {
                assert_eq!(result.unwrap(), contents[last - 1], "the last frame could be torn");
            }
        }
        let mut zeroed = log.clone();
        zeroed[at..at + BLOCK_BYTES].fill(0);
        assert_eq!(is_corrupt(&opened(&[file.clone(), zeroed])), frame < last, "frame {frame}");
        if frame > 1 {
            let mut copied = log.clone();
            copied.copy_within(at - BLOCK_BYTES..at, at);
            assert_eq!(is_corrupt(&opened(&[file.clone(), copied])), frame < last, "frame {frame}");
        }
    }
    assert_eq!(opened(&[file, log]).unwrap(), contents[last]);
}

#[test]
fn a_log_that_is_missing_truncated_or_of_another_store_is_reported() {
    let ([file, log], contents) = unclosed(8);
    let missing = opened(&[file.clone(), Vec::new()]);
    assert!(matches!(missing, Err(Refusal::NoLog("does not exist"))), "{missing:?}");
    let ([_, other], _) = unclosed(8);
    let foreign = opened(&[file.clone(), other]);
    assert!(matches!(foreign, Err(Refusal::NoLog("is the log of another store"))), "{foreign:?}");
    let mut headless = log.clone();
    headless[20] ^= 1;
    assert!(is_corrupt(&opened(&[file.clone(), headless])));
    // A truncated log without its last frames cannot be distinguished from a torn one, but a hole can.
    assert_eq!(opened(&[file, log[..6 * BLOCK_BYTES].to_vec()]).unwrap(), contents[5]);
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
    for lost in ["lost 5", "discarded 6", "discarded 7"] {
        put(&engine, lost, Persist::Later);
    }
    let [file, mut log] = disk.images();
    log[5 * BLOCK_BYTES..6 * BLOCK_BYTES].fill(0);
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
    assert_eq!((features(), disk.images()[1].len()), (0, 0), "the first commit needs no log");
    write(&engine, &[(b"b".to_vec(), Some(Vec::new()))], Persist::Now).unwrap();
    assert_eq!(features(), 1);
    engine.close().unwrap();
    assert_eq!((features(), disk.images()[1].len()), (1, 0));
    // A damaged identity is read from its copy and repaired.
    let [mut file, log] = disk.images();
    file[..512].fill(0xa5);
    let disk = Recorder::new([file, log]);
    assert_eq!(rows(&open(disk.clone(), SMALL).unwrap()).unwrap().len(), 2);
    assert_eq!(u32::from_le_bytes(disk.images()[0][20..24].try_into().unwrap()), 1);
}
