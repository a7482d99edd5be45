//! Power failures that leave any bytes in all blocks since the last sync.

use super::{
    platter::{Chances, Platter, Recorder},
    *,
};

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
