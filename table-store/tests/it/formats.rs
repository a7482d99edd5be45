//! Files written by earlier versions can be opened, contain the expected data, and can be written. The `README.md` in
//! `tests/formats` describes their creation.

#![cfg_attr(
    test,
    allow(
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used,
        reason = "a helper of a test fails as a test does"
    )
)]

mod listing;
mod sparse;
mod specimen;

use std::{fs, path::PathBuf};

use table_store::{Entity, MemoryDisk, OpenError, OpenOptions, Operation, Query};

use crate::formats::{
    listing::listing,
    specimen::{DELETED, name},
};

/// Versions with stored files, and the format that they write.
const VERSIONS: [(&str, u32); 1] = [("0.1.0", 1)];
const FILES: [&str; 2] = ["closed", "open"];

fn directory(version: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(version)
}

/// Returns all files with the version that wrote each.
fn files() -> impl Iterator<Item = (&'static str, String, Vec<u8>)> {
    VERSIONS.iter().flat_map(|(version, _)| {
        FILES.map(|file| {
            let packed = fs::read(directory(version).join(format!("{file}.sparse"))).unwrap();
            (*version, format!("{file} of {version}"), sparse::unpack(&packed))
        })
    })
}

/// Checks that the file is rejected without changes, with an error that contains these words.
fn refused(bytes: &[u8], words: &[&str]) -> OpenError {
    let disk = MemoryDisk::with_bytes(bytes.to_vec());
    let error = OpenOptions::new().open_disk(disk.clone()).unwrap_err();
    assert!(disk.bytes() == bytes, "{error}: the refused store was changed");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    error
}

/// Writes a number into the identification of a file, with a matching checksum.
fn with_number(mut bytes: Vec<u8>, at: usize, number: u32) -> Vec<u8> {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    let sum = crc32c::crc32c_append(crc32c::crc32c(&[0; 8]), &bytes[..508]);
    bytes[508..512].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn the_files_of_every_version_are_sound_and_hold_what_they_held() {
    for (version, file, bytes) in files() {
        let disk = MemoryDisk::with_bytes(bytes);
        let report = OpenOptions::new().scrub_disk(disk.clone()).unwrap();
        assert!(report.is_sound() && report.deleted == DELETED, "{file}: {report}");
        let store = OpenOptions::new().open_disk(disk).unwrap().blocking();
        let expected = fs::read_to_string(directory(version).join("contents.txt")).unwrap();
        assert_eq!(listing(&store), expected, "{file}");
    }
}

#[test]
fn the_files_of_every_version_can_be_written_and_opened_again() {
    for (_, file, bytes) in files() {
        let disk = MemoryDisk::with_bytes(bytes);
        let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
        store.swept().unwrap();
        store.create_table(&name("Gone")).unwrap();
        let entity = Entity::new("p", "r").with("Number", 1);
        store.execute(&name("Gone"), Operation::Insert(entity)).unwrap();
        let newest = store.get(&name("Gone"), "p", "r", None).unwrap().unwrap().timestamp;
        for row in &store.query(&name("Keys"), Query::new()).unwrap().rows {
            assert!(row.to_row().timestamp < newest, "{file}: times go on above the old ones");
        }
        let contents = listing(&store);
        assert!(contents.contains("table Gone\n  entity \"p\" \"r\"\n"), "{file}: {contents}");
        store.close().unwrap();
        let report = OpenOptions::new().scrub_disk(disk.clone()).unwrap();
        assert!(report.is_sound() && report.deleted == 0, "{file}: {report}");
        let store = OpenOptions::new().open_disk(disk).unwrap().blocking();
        assert_eq!(listing(&store), contents, "{file}");
    }
}

#[test]
fn a_later_format_and_unknown_features_are_refused_with_both_numbers() {
    for (_, _, bytes) in files() {
        let error = refused(&with_number(bytes.clone(), 16, 42), &["format 42", "formats up to 1"]);
        assert!(matches!(error, OpenError::Newer { found: 42, known: 1, .. }), "{error}");
        let error = refused(&with_number(bytes, 20, 0x50), &["0x50", "0x3"]);
        assert!(matches!(error, OpenError::UnknownFeatures { found: 0x50, known: 3, .. }), "{error}");
    }
}

#[test]
fn files_that_were_cut_off_are_refused() {
    for (_, _, bytes) in files() {
        for length in (17..bytes.len()).step_by(61_441).chain([bytes.len() - 1, bytes.len() - 4096]) {
            let error = refused(&bytes[..length], &["damaged"]);
            assert!(matches!(error, OpenError::Damaged { .. }), "{length}: {error}");
        }
    }
}

#[test]
fn the_format_that_is_written_has_its_files_here() {
    let disk = MemoryDisk::new();
    OpenOptions::new().open_disk(disk.clone()).unwrap();
    let written = disk.bytes()[16..20].try_into().map(u32::from_le_bytes).unwrap();
    assert!(VERSIONS.iter().any(|(_, format)| *format == written), "format {written}");
}

#[test]
#[ignore = "writes the files of a new release; see the README.md beside"]
fn write_the_files_of_this_version() {
    let directory = directory(env!("CARGO_PKG_VERSION"));
    fs::create_dir(&directory).expect("files of a release are never written again");
    let files = specimen::write();
    for (file, bytes) in &files {
        fs::write(directory.join(format!("{file}.sparse")), sparse::pack(bytes)).unwrap();
    }
    let store = OpenOptions::new().open_disk(MemoryDisk::with_bytes(files[0].1.clone())).unwrap();
    fs::write(directory.join("contents.txt"), listing(&store.blocking())).unwrap();
}
