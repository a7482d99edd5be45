//! Power failures that leave garbage: any part written since the last sync is lost, kept, or garbage.

use table_store::{MemoryDisk, OpenOptions};

use crate::embedded::crashes::{Call, Dice, Recorder, SECTOR, recorded, survivor};

/// Size of a physical write of many disks.
const BLOCK: usize = 4096;

/// State of the disk at a power failure.
struct Platter {
    synced: Vec<u8>,
    unsynced: Vec<Call>,
}

impl Platter {
    fn pass(&mut self, call: &Call) {
        match call {
            Call::Sync => {
                for call in std::mem::take(&mut self.unsynced) {
                    act(&mut self.synced, &call, |_, _| Fate::Kept);
                }
            }
            call => self.unsynced.push(call.clone()),
        }
    }

    /// Returns an image in which `harm` percent of the unsynced parts are garbage and half of the others are lost.
    /// `unit` is the size of a part.
    fn image(&self, dice: &mut Dice, harm: u64, unit: usize) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for call in &self.unsynced {
            act(&mut bytes, call, |bytes, sector| {
                if dice.roll(100) >= harm {
                    return if dice.roll(2) == 0 { Fate::Lost } else { Fate::Kept };
                }
                let start = sector / unit * unit;
                let end = bytes.len().min(start + unit);
                bytes[start..end].fill_with(|| u8::try_from(dice.roll(256)).unwrap());
                Fate::Lost
            });
        }
        bytes
    }
}

#[derive(PartialEq)]
enum Fate {
    Lost,
    Kept,
}

fn act(bytes: &mut Vec<u8>, call: &Call, mut fate: impl FnMut(&mut [u8], usize) -> Fate) {
    match call {
        Call::Sync => {}
        // The length is in the journal of the file system: it is written or lost, but never garbage.
        Call::SetLen(len) => {
            if fate(&mut [], 0) == Fate::Kept {
                bytes.resize(usize::try_from(*len).unwrap(), 0);
            }
        }
        Call::Write(offset, content) => {
            let start = usize::try_from(*offset).unwrap();
            if bytes.len() < start + content.len() {
                bytes.resize(start + content.len(), 0);
            }
            for (number, sector) in content.chunks(SECTOR).enumerate() {
                let place = start + number * SECTOR;
                if fate(bytes, place) == Fate::Kept {
                    bytes[place..place + sector.len()].copy_from_slice(sector);
                }
            }
        }
    }
}

/// Checks that acknowledged writes exist, and that the store contains no garbage after a regular close.
fn check(image: Vec<u8>, acknowledged: i32, what: &str) {
    let disk = MemoryDisk::with_bytes(image.clone());
    let opened = OpenOptions::new().open_disk(disk.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
    opened.blocking().close().unwrap();
    let report = OpenOptions::new().scrub_disk(disk).unwrap();
    assert!(report.is_sound(), "{what}: {report}");
    match survivor(image) {
        Ok(Some(value)) => assert!(
            (acknowledged..=acknowledged + 1).contains(&value),
            "{what}: {value} is there, {acknowledged} was acknowledged"
        ),
        Ok(None) => panic!("{what}: rows of different writes"),
        Err(error) => panic!("{what}: {error}"),
    }
}

/// Opens the image, and simulates a second power failure at a call of the opening.
fn cut_again(image: &[u8], dice: &mut Dice, harm: u64, unit: usize) -> Vec<u8> {
    let disk = Recorder::with_bytes(image.to_vec());
    drop(OpenOptions::new().open_disk(disk.clone()).unwrap());
    let calls = disk.calls.lock().unwrap().clone();
    let mut platter = Platter { synced: image.to_vec(), unsynced: Vec::new() };
    let cut = usize::try_from(dice.roll(calls.len() as u64 + 1)).unwrap();
    for (call, _) in calls.iter().take(cut) {
        platter.pass(call);
    }
    platter.image(dice, harm, unit)
}

/// Simulates power failures before every call after the creation, `turns` times each. Returns the number of failures.
fn cut_everywhere(seed: u64, turns: usize) -> usize {
    let (disk, created) = recorded();
    let calls = disk.calls.lock().unwrap().clone();
    let mut dice = Dice(seed);
    let mut platter = Platter { synced: Vec::new(), unsynced: Vec::new() };
    let mut points = 0;
    for (at, (call, acknowledged)) in calls.iter().enumerate() {
        for turn in (0..turns).filter(|_| at > created) {
            let unit = [SECTOR, BLOCK][(at + turn) % 2];
            let harm = [100, 60, 30, 10][(at / 2 + turn) % 4];
            let what = format!("call {at}, turn {turn}, {harm}% garbage of {unit} bytes");
            let image = platter.image(&mut dice, harm, unit);
            if dice.roll(4) == 0 {
                let again = cut_again(&image, &mut dice, harm, unit);
                let third = cut_again(&again, &mut dice, harm, unit);
                check(third, *acknowledged, &format!("{what}, three times"));
            }
            check(image, *acknowledged, &what);
            points += 1;
        }
        platter.pass(call);
    }
    points
}

#[test]
fn garbage_in_what_was_not_synced_loses_nothing_acknowledged() {
    let points = cut_everywhere(0x2545_f491_4f6c_dd1d, 2);
    assert!(points > 300, "{points} points");
}

#[test]
#[ignore = "takes minutes; run it before a release"]
fn garbage_in_what_was_not_synced_loses_nothing_acknowledged_at_many_more_points() {
    let seeds = (1..=10_u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let points: usize = seeds.map(|seed| cut_everywhere(seed, 8)).sum();
    assert!(points > 10_000, "{points} points");
}

/// Verifies the check above: without its copies, the header alone would lose the store.
#[test]
fn without_the_copies_of_the_header_garbage_in_it_loses_the_store() {
    let (disk, created) = recorded();
    let calls = disk.calls.lock().unwrap().clone();
    let mut platter = Platter { synced: Vec::new(), unsynced: Vec::new() };
    let (mut points, mut lost) = (0, 0);
    for (at, (call, acknowledged)) in calls.iter().enumerate() {
        if at > created && !platter.unsynced.is_empty() {
            let mut image = platter.image(&mut Dice(1 + at as u64), 100, SECTOR);
            image[2 * BLOCK..5 * BLOCK].fill(0);
            points += 1;
            lost += usize::from(!matches!(survivor(image), Ok(Some(value)) if value >= *acknowledged));
        }
        platter.pass(call);
    }
    assert!(lost * 3 > points, "{lost} of {points}");
}
