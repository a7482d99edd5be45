//! Power failures that leave any bytes in all blocks since the last sync.

use super::{
    platter::{Chances, Platter, Recorder},
    *,
};
use crate::engine::{BLOCK_BYTES, SECTOR_BYTES};

const GARBAGE: Chances = Chances { kept: 0, garbage: 100 };
/// Frames of up to 10 blocks.
const LONG: Settings = Settings { frame_bytes: 40 << 10, ..SMALL };

fn put(engine: &LoggedEngine, key: &str, len: usize, persist: Persist) {
    write(engine, &[(key.as_bytes().to_vec(), Some(vec![7; len]))], persist).unwrap();
}

/// The number of acknowledged rows after a number of calls.
type Acknowledged = Vec<(usize, usize)>;

/// Writes rows of these sizes, synced or not. Returns the disk, its content before, and the acknowledged rows.
fn record(sizes: &[(usize, Persist)]) -> (Recorder, [Vec<u8>; 2], Acknowledged) {
    let start = closed(LONG);
    let disk = Recorder::new(start.clone());
    let engine = open(disk.clone(), LONG).unwrap();
    let mut acknowledged = vec![(0, 0)];
    for (number, (size, persist)) in sizes.iter().enumerate() {
        put(&engine, &format!("{number:02}"), *size, *persist);
        if *persist == Persist::Now {
            acknowledged.push((disk.calls.lock().unwrap().len(), number + 1));
        }
    }
    (disk, start, acknowledged)
}

/// Fails the power before each call. The store opens with all acknowledged rows, also when the process ends again after
/// some of the following commits, which overwrite the log.
fn survives(sizes: &[(usize, Persist)]) {
    let (disk, start, acknowledged) = record(sizes);
    let (mut dice, mut platter) = (Dice(3), Platter::new(start));
    for (at, (file, call)) in disk.calls.lock().unwrap().iter().enumerate() {
        let least = acknowledged.iter().rfind(|(calls, _)| *calls <= at).map_or(0, |(_, rows)| *rows);
        let disk = Recorder::new(platter.cut(GARBAGE, &mut dice));
        let mut expected = None;
        for number in 0..12 {
            let engine = open(disk.clone(), LONG)
                .unwrap_or_else(|refusal| panic!("call {at}, opening {number}: {refusal:?}"));
            let found = rows(&engine).unwrap();
            assert!(found.len() >= least, "call {at}: {} of {least} rows", found.len());
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(found, *expected, "call {at}, opening {number}");
            engine.shared.write_frozen().unwrap();
            // The first commit is written to the file, and the next one to the start of the log.
            for row in 0..2 {
                let key = format!("after {number} {row}");
                put(&engine, &key, 10, Persist::Now);
                expected.insert(key.into_bytes(), vec![7; 10]);
            }
        }
        platter.pass(*file, call, &mut dice);
    }
}

#[test]
fn a_long_frame_is_announced() {
    survives(&[(10, Persist::Now), (10, Persist::Now), (30_000, Persist::Now), (39_000, Persist::Now)]);
}

#[test]
fn many_frames_before_a_sync_are_announced() {
    let frames = [[(10, Persist::Now); 3], [(5_000, Persist::Later); 3]].concat();
    survives(&[frames, vec![(10, Persist::Later); 6], vec![(10, Persist::Now)]].concat());
}

/// A power failure leaves the start of a frame, and the next one the end of another frame at the same place, with the same
/// bytes as the lost end. The first frame must not come back: the opening between them has shown that it is lost.
#[test]
fn two_torn_frames_at_one_place_are_no_frame() {
    let disk = Recorder::new(closed(LONG));
    let engine = open(disk.clone(), LONG).unwrap();
    (0..4).for_each(|row| put(&engine, &format!("synced {row}"), 10, Persist::Now));
    engine.shared.freeze(&mut lock(&engine.shared.writer)).unwrap();
    engine.shared.write_frozen().unwrap();
    let before = disk.images();
    put(&engine, "lost", 10, Persist::Later);
    let mut images = disk.images();
    let at = images[1].iter().zip(&before[1]).position(|(one, other)| one != other).unwrap();
    let at = at / BLOCK_BYTES * BLOCK_BYTES;
    let (start, end) = (at..at + SECTOR_BYTES, at + SECTOR_BYTES..at + BLOCK_BYTES);
    // The earlier content of these sectors.
    images[1][end.clone()].fill(0xa5);

    let disk = Recorder::new(images);
    let engine = open(disk.clone(), LONG).unwrap();
    let (opened, content) = (disk.images(), rows(&engine).unwrap());
    assert!(!content.contains_key(&b"lost"[..]));
    put(&engine, "next", 10, Persist::Later);
    let mut images = disk.images();
    assert_ne!(images[1][start.clone()], opened[1][start.clone()], "both frames are at one place");
    assert!(images[1][end].iter().all(|byte| *byte == 0), "both end with the same bytes");
    images[1][start.clone()].copy_from_slice(&opened[1][start]);
    assert_eq!(rows(&open(Recorder::new(images), LONG).unwrap()).unwrap(), content);
}
