//! Scrubs: sound data is reported as sound, damage is found and located, and nothing is changed.

use std::{collections::BTreeMap, fs};

use table_store::{DamagePlace, MemoryDisk, OpenError, OpenOptions, Query, Row, ScrubReport};

use crate::embedded::{
    crashes::Dice,
    damage::{small, small_with},
    queries::fill,
    support::{put, store, table},
};

const BLOCK: usize = 4096;
const SECTOR: usize = 512;
/// Start of the engine's pages.
const ENGINE: usize = 5 * BLOCK;

/// Scrubs a changed file and checks that it is unchanged. Returns `None` if it is rejected as not being a store of this
/// version.
fn scrub(bytes: &[u8]) -> Option<ScrubReport> {
    let disk = MemoryDisk::with_bytes(bytes.to_vec());
    let scrubbed = OpenOptions::new().scrub_disk(disk.clone());
    assert!(disk.bytes() == bytes, "a scrub changed the store");
    match scrubbed {
        Ok(report) => Some(report),
        Err(OpenError::NotOurs { .. } | OpenError::Newer { .. } | OpenError::UnknownFeatures { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

fn finds(bytes: &[u8]) -> bool {
    scrub(bytes).is_none_or(|report| !report.is_sound())
}

/// Checks that a file reported as sound contains all rows unchanged.
fn finds_what_matters(bytes: &[u8], rows: &BTreeMap<String, Row>, what: &str) -> bool {
    if finds(bytes) {
        return true;
    }
    let opened = OpenOptions::new().verify_up_to(0).open_disk(MemoryDisk::with_bytes(bytes.to_vec()));
    let store = opened.unwrap_or_else(|error| panic!("{what}: {error}")).blocking();
    let segment = store.query(&table(), Query::new()).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(
        segment.rows.iter().map(table_store::RowRef::to_row).eq(rows.values().cloned()),
        "{what} is not found"
    );
    false
}

fn used_pages(bytes: &[u8]) -> Vec<usize> {
    let is_used = |page: &usize| bytes[page * BLOCK..(page + 1) * BLOCK].iter().any(|byte| *byte != 0);
    (ENGINE / BLOCK..bytes.len() / BLOCK).filter(is_used).collect()
}

#[test]
fn a_sound_store_is_called_sound_open_closed_and_not_closed() {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    store.create_table(&table()).unwrap();
    fill(&store, 40);
    let running = store.scrub().unwrap();
    assert_eq!((running.tables, running.entities, running.deleted), (1, 40, 0));
    assert!(running.is_sound() && running.bytes > 1000, "{running}");
    assert_eq!(OpenOptions::new().scrub_disk(disk.copied()).unwrap(), running, "not closed");
    store.close().unwrap();
    assert_eq!(scrub(&disk.bytes()).unwrap(), running, "closed");
    store.scrub().unwrap_err();
}

#[test]
fn a_large_store_is_walked_in_several_views() {
    let store = store();
    fill(&store, 9_500);
    let report = store.scrub().unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.entities, 9_500);
    assert_eq!(report.to_string().lines().count(), 1, "{report}");
}

#[test]
fn every_bit_of_every_sector_of_the_head_is_watched() {
    let (bytes, _) = small();
    let places = (0..6).flat_map(|block| block * BLOCK..block * BLOCK + SECTOR);
    for (turn, at) in places.enumerate() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (turn % 8);
        assert!(finds(&changed), "byte {at}");
    }
}

/// Flips all bits of a record, its key and its checksum in every used page.
#[test]
fn every_bit_of_a_record_is_watched() {
    let (bytes, _) = small();
    let mut bits = 0;
    for page in used_pages(&bytes) {
        let range = page * BLOCK..(page + 1) * BLOCK;
        let mut zeroed = bytes.clone();
        zeroed[range.clone()].fill(0);
        let marker = b"Sales\x0000007";
        let found = bytes[range.clone()].windows(marker.len()).position(|window| window == marker);
        let (Some(at), true) = (found, finds(&zeroed)) else { continue };
        for bit in 0..marker.len() * 8 {
            let mut changed = bytes.clone();
            changed[range.start + at + bit / 8] ^= 1 << (bit % 8);
            assert!(finds(&changed), "bit {bit} of the key in page {page}");
            bits += 1;
        }
        let value = 7000_i32.to_le_bytes();
        let at = bytes[range.clone()].windows(4).position(|window| window == value).unwrap();
        // Version, timestamp, count, one entry and name precede the value; the checksum follows it.
        let record = range.start + at - (1 + 8 + 2 + 7 + 3);
        for bit in 0..(1 + 8 + 2 + 7 + 3 + 4 + 4) * 8 {
            let mut changed = bytes.clone();
            changed[record + bit / 8] ^= 1 << (bit % 8);
            assert!(finds(&changed), "bit {bit} of the record in page {page}");
            bits += 1;
        }
    }
    assert!(bits >= (11 + 29) * 8, "{bits}");
}

#[test]
fn every_changed_bit_is_found_or_does_not_matter() {
    let (bytes, rows) = small();
    let used: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut found = 0;
    for _ in 0..2_000 {
        let at = used[usize::try_from(dice.roll(used.len() as u64)).unwrap()];
        let bit = dice.roll(8);
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        found += usize::from(finds_what_matters(&changed, &rows, &format!("bit {bit} of byte {at}")));
    }
    // Most used pages are earlier versions.
    assert!(found > 150, "{found}");
}

#[test]
fn zeroed_swapped_and_misdirected_pages_are_found_or_do_not_matter() {
    let (bytes, rows) = small();
    let pages = used_pages(&bytes);
    let range = |page: usize| page * BLOCK..(page + 1) * BLOCK;
    let mut found = 0;
    for one in &pages {
        let mut zeroed = bytes.clone();
        zeroed[range(*one)].fill(0);
        found += usize::from(finds_what_matters(&zeroed, &rows, &format!("page {one} zeroed")));
        for two in &pages {
            let mut astray = bytes.clone();
            astray.copy_within(range(*one), two * BLOCK);
            found += usize::from(finds_what_matters(&astray, &rows, &format!("page {one} onto {two}")));
            let mut swapped = astray;
            swapped[range(*one)].copy_from_slice(&bytes[range(*two)]);
            if one < two {
                found += usize::from(finds_what_matters(&swapped, &rows, &format!("pages {one}, {two}")));
            }
        }
    }
    assert!(found > pages.len() * 2, "{found} of {} pages", pages.len());
}

#[test]
fn a_damaged_record_is_named_in_a_running_store_and_healed_by_storing_it_anew() {
    let (bytes, _) = small_with(false);
    let at = bytes.windows(4).rposition(|window| window == 7000_i32.to_le_bytes()).unwrap();
    let mut changed = bytes;
    changed[at] ^= 1;
    let opened = OpenOptions::new().verify_up_to(0).open_disk(MemoryDisk::with_bytes(changed.clone()));
    let store = opened.unwrap().blocking();
    let report = store.scrub().unwrap();
    assert_eq!((report.entities, report.damage.len()), (39, 1), "{report}");
    match &report.damage[0].place {
        DamagePlace::Entity { table: found, keys: Some(keys), .. } => {
            assert_eq!(found.as_ref(), Some(&table()));
            assert_eq!((keys.0.as_str(), keys.1.as_str()), ("Sales", "00007"));
        }
        other => panic!("{other}"),
    }
    let text = report.to_string();
    assert!(text.contains("table Employees, PartitionKey `Sales`, RowKey `00007`"), "{text}");
    let closed = scrub(&changed).unwrap();
    assert!(closed.damage.contains(&report.damage[0]) && closed.damage.len() == 2, "{closed}");
    put(&store, "00007", 1);
    assert!(store.scrub().unwrap().is_sound());
}

#[test]
fn a_file_that_was_cut_off_is_damaged_not_a_failure() {
    let (bytes, _) = small();
    for len in
        (20..bytes.len()).step_by(30_011).chain([ENGINE, ENGINE + 1, ENGINE + SECTOR, ENGINE + BLOCK - 1])
    {
        assert!(finds(&bytes[..len]), "{len}");
    }
}

#[test]
fn a_file_is_scrubbed_without_being_written_and_not_while_it_is_open() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    let options = OpenOptions::new();
    assert!(matches!(options.scrub(&path).unwrap_err(), OpenError::Missing { .. }));
    assert!(!path.exists(), "a scrub makes no file");
    let store = options.open(&path).unwrap().blocking();
    store.create_table(&table()).unwrap();
    assert!(matches!(options.scrub(&path).unwrap_err(), OpenError::Locked { .. }));
    store.close().unwrap();
    let before = fs::read(&path).unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(options.scrub(&path).unwrap().is_sound());
    assert!(options.scrub(&path).unwrap().is_sound(), "the lock is given back");
    assert!(fs::read(&path).unwrap() == before);
    fs::write(directory.path().join("b"), "Name;Age\n").unwrap();
    assert!(matches!(options.scrub(directory.path().join("b")).unwrap_err(), OpenError::NotOurs { .. }));
}
