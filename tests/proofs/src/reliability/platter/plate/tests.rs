use super::*;

fn write(offset: u64, byte: u8, count: usize) -> Change {
    Change::Write(offset, vec![byte; count].into())
}

fn zeros(sectors: usize) -> Bytes {
    Bytes::from(&*vec![0; sectors * SECTOR])
}

fn plate(changes: &[Change]) -> Plate {
    let mut plate = Plate::new(zeros(4), Medium::Tearing);
    for change in changes {
        plate.advance(change, &mut Seed::new(1));
    }
    plate
}

#[test]
fn what_was_synced_survives_every_crash() {
    let plate = plate(&[write(0, 1, SECTOR), Change::Sync, write(SECTOR as u64, 2, SECTOR)]);
    for seed in 0..200 {
        let image = plate.crash(Some(&write(1024, 3, 100)), &mut Seed::new(seed)).to_vec();
        assert_eq!(image.len(), 4 * SECTOR);
        assert!(image[..SECTOR].iter().all(|byte| *byte == 1));
        assert!(image[3 * SECTOR..].iter().all(|byte| *byte == 0));
    }
}

#[test]
fn what_was_not_synced_survives_in_every_mixture() {
    let plate = plate(&[write(0, 1, SECTOR), write(SECTOR as u64, 2, SECTOR), Change::SetLen(5 * SECTOR)]);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..500 {
        let image = plate.crash(None, &mut Seed::new(seed)).to_vec();
        seen.insert((image[0], image[SECTOR], image.len() / SECTOR));
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}

#[test]
fn the_write_at_hand_is_torn_at_a_byte() {
    let plate = plate(&[]);
    let torn = (0..200).map(|seed| plate.crash(Some(&write(0, 7, 2 * SECTOR)), &mut Seed::new(seed)));
    let counts = torn.map(|image| image.to_vec().into_iter().map(usize::from).sum::<usize>() / 7);
    assert!(counts.filter(|count| count % SECTOR != 0).count() > 50);
}

#[test]
fn after_a_failed_sync_a_later_one_brings_nothing_back() {
    let mut lost = 0;
    for seed in 0..50 {
        let mut plate = Plate::new(zeros(1), Medium::Tearing);
        for change in [write(0, 9, SECTOR), Change::FailedSync, Change::Sync] {
            plate.advance(&change, &mut Seed::new(seed));
        }
        lost += usize::from(plate.only_stable().to_vec()[0] == 0);
    }
    assert!(lost > 5, "{lost}");
}

#[test]
fn after_a_failed_sync_a_later_one_brings_the_length() {
    for seed in 0..50 {
        let mut plate = Plate::new(zeros(1), Medium::Tearing);
        for change in [Change::SetLen(3 * SECTOR), Change::FailedSync, write(1024, 9, SECTOR), Change::Sync] {
            plate.advance(&change, &mut Seed::new(seed));
        }
        assert_eq!(plate.only_stable().to_vec().get(1024), Some(&9));
    }
}

#[test]
fn garbage_is_only_where_something_was_being_written() {
    let mut plate = Plate::new(zeros(6), Medium::Garbling);
    for change in [write(0, 1, SECTOR), Change::Sync, write(1500, 2, 30), write(2048, 2, SECTOR)] {
        plate.advance(&change, &mut Seed::new(1));
    }
    let mut garbled = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let image = plate.crash(Some(&write(2560, 3, 8)), &mut Seed::new(seed)).to_vec();
        let known = |sector: &[u8]| sector.iter().all(|byte| *byte <= 3);
        garbled.insert(image.chunks(SECTOR).map(|sector| !known(sector)).collect::<Vec<_>>());
    }
    // Sectors 2, 4 and 5, in every combination.
    assert_eq!(garbled.len(), 8, "{garbled:?}");
    assert!(garbled.iter().all(|sectors| !sectors[0] && !sectors[1] && !sectors[3]));
}

#[test]
fn a_disk_that_lies_loses_what_was_synced() {
    let mut plate = Plate::new(zeros(1), Medium::Lying);
    for change in [write(0, 9, SECTOR), Change::Sync] {
        plate.advance(&change, &mut Seed::new(1));
    }
    assert_eq!(plate.only_stable().to_vec()[0], 0);
}
