//! Kept logs that are torn, incomplete, or replaced.

use super::*;
use crate::engine::SECTOR_BYTES;

/// The process ends after any part of a commit was appended, before the store contains it.
#[test]
fn a_process_that_ends_while_it_appends_loses_nothing_acknowledged() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    for row in 0..6 {
        put(&store, &format!("{row}"), 20);
    }
    let (before, expected) = (place.killed(), live(&store));
    put(&store, "last", 20);
    let (after, last) = (place.killed(), live(&store));
    let sound = |place: &Place| {
        let directory = Directory::new(&place.path("log"));
        let (_, name) = segment::list(&directory).unwrap().remove(0);
        segment::Segment::read(&directory, &name).unwrap().unwrap().end().0 as u64
    };
    let (start, end) = (sound(&before), sound(&after));
    let bytes = fs::read(&after.segments()[0].1).unwrap();
    // Cuts within zeros leave the same bytes, and differ in the length only.
    let is_tried = |cut: &u64| {
        bytes.get(usize::try_from(*cut).unwrap()).is_none_or(|byte| *byte != 0) || cut.is_multiple_of(16)
    };
    for cut in (start..=end).filter(is_tried) {
        copy_segments(&after, &before);
        fs::File::options().write(true).open(&before.segments()[0].1).unwrap().set_len(cut).unwrap();
        fs::copy(place.path("backup"), before.path("backup")).unwrap();
        let (restored, found) = before.restored("backup", RestoreTo::Latest).unwrap();
        let whole = cut == end;
        assert!(found == if whole { last.clone() } else { expected.clone() }, "cut at {cut}");
        let expected_end = if cut == start || whole { LogEnd::Unconfirmed } else { LogEnd::Incomplete };
        assert_eq!(restored.end, expected_end, "cut at {cut}");
        let copy = before.killed();
        fs::copy(place.path("backup"), copy.path("backup")).unwrap();
        let opened = copy.open();
        assert!(live(&opened) == expected, "cut at {cut}");
        put(&opened, "other", 20);
        assert!(copy.restored("backup", RestoreTo::Latest).unwrap().1 == live(&opened), "cut at {cut}");
    }
    // An acknowledged commit is missing.
    fs::File::options().write(true).open(&after.segments()[0].1).unwrap().set_len(start - 1).unwrap();
    let error = after.keeping().open(after.path("store")).unwrap_err();
    assert!(error.to_string().contains("is damaged or cut off in the segment"), "{error}");
}

/// A store that was just opened has a segment without commits, like an interrupted start.
#[test]
fn another_store_does_not_take_the_log_of_an_open_store() {
    let place = Place::new();
    let store = place.open();
    let error = place.keeping().open(place.path("other")).unwrap_err();
    assert!(error.to_string().contains("in use by another process"), "{error}");
    begin(&store);
    store.close().unwrap();
    place.open().close().unwrap();
    assert!(place.keeping().open(place.path("other")).is_err(), "the log has commits");
}

#[test]
fn missing_and_damaged_segments_are_named() {
    let place = Place { most_bytes: 1_200_000, ..Place::new() };
    let keep = KeepLog { most_bytes: 1_200_000, ..KeepLog::in_folder(place.path("log")) };
    let store = place.options().keep_log(keep).open(place.path("store")).unwrap().blocking();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    let mut states = Vec::new();
    for row in 0..40 {
        put(&store, &format!("{row}"), 20_000);
        states.push((position(&store).unwrap().number, live(&store)));
    }
    let segments = place.segments();
    assert!(segments.len() >= 3, "{segments:?}");
    let [(first, _), (second, path), (third, _)] = &segments[..3] else { unreachable!() };
    let gap = |error: RestoreError| match error {
        RestoreError::Gap { first, last, .. } => (first, last),
        error => panic!("{error}"),
    };
    let content = fs::read(path).unwrap();
    fs::remove_file(path).unwrap();
    assert_eq!(gap(place.restored("backup", RestoreTo::Latest).unwrap_err()), (*second, third - 1));
    let (number, expected) = states.iter().rfind(|(number, _)| number < second).unwrap();
    assert!(place.restored("backup", RestoreTo::Commit(*number)).unwrap().1 == *expected);
    // A changed bit in the middle.
    let mut changed = content.clone();
    changed[content.len() / 2] ^= 4;
    fs::write(path, changed).unwrap();
    let (from, to) = gap(place.restored("backup", RestoreTo::Latest).unwrap_err());
    assert!((*second..*third).contains(&from) && to == third - 1, "{from} {to}");
    fs::write(path, content).unwrap();
    let (restored, found) = place.restored("backup", RestoreTo::Latest).unwrap();
    assert!(found == live(&store) && restored.applied == 40, "{restored:?}");
    fs::remove_file(&segments[0].1).unwrap();
    let backup = place.options().read_only(true).open(place.path("backup")).unwrap().blocking();
    let base = position(&backup).unwrap().number;
    let error = place.restored("backup", RestoreTo::Latest).unwrap_err();
    let RestoreError::Expired { first: found, backup, .. } = error else { panic!("{error}") };
    assert_eq!((found, backup, *first), (*second, base, 1));
}

/// The base is in the middle of this segment, and neither its commit nor the next one can be read.
#[test]
fn a_damaged_header_before_the_base_names_a_valid_range() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    (0..20).for_each(|row| put(&store, &format!("{row}"), 20));
    store.backup(place.path("backup")).unwrap();
    put(&store, "last", 20);
    let base = position(&store).unwrap().number - 1;
    let (_, path) = &place.segments()[0];
    let mut changed = fs::read(path).unwrap();
    changed[20] ^= 1;
    fs::write(path, &changed).unwrap();
    assert_eq!(place.restored("backup", RestoreTo::Latest).unwrap().0.commit, base + 1);
    let end = changed.len() / SECTOR_BYTES * SECTOR_BYTES;
    changed[end - 2 * SECTOR_BYTES] ^= 1;
    changed[end - SECTOR_BYTES] ^= 1;
    fs::write(path, changed).unwrap();
    let error = place.restored("backup", RestoreTo::Latest).unwrap_err();
    assert!(
        matches!(error, RestoreError::Gap { first, last, .. } if first == base + 1 && last == first),
        "{error}"
    );
    assert!(error.to_string().contains(&format!("commit {} is missing", base + 1)), "{error}");
}

#[test]
fn other_files_and_directories_are_no_segments() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    put(&store, "a", 20);
    for name in ["9.tables-kept", "+0000000000000000009.tables-kept", "notes.txt"] {
        fs::write(place.path("log").join(name), "other").unwrap();
    }
    fs::create_dir(place.path("log").join("00000000000000000099.tables-kept")).unwrap();
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == live(&store));
    store.close().unwrap();
    place.open().close().unwrap();
}

/// Another user of the folder links the names of the next segments to a file of the owner.
#[cfg(unix)]
#[test]
fn writes_stop_while_links_are_in_place_of_the_next_segments_and_continue_after_that() {
    let mut place = Place::new();
    place.most_bytes = 256 << 10;
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    let other = place.path("other");
    fs::write(&other, "not a segment").unwrap();
    let links: Vec<_> =
        (5..40).map(|number| place.path("log").join(format!("{number:020}.tables-kept"))).collect();
    for path in &links {
        std::os::unix::fs::symlink(&other, path).unwrap();
    }
    let mut written = 0;
    let error = loop {
        let entity = Entity::new("Sales", format!("{written}")).with("Text", "x".repeat(20_000));
        match store.execute(&table("Employees"), Operation::InsertOrReplace(entity)) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(written > 0 && error.to_string().contains("is a symbolic link"), "{written}: {error}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "not a segment");
    let before = live(&store);
    for path in &links {
        fs::remove_file(path).unwrap();
    }
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == before);
    put(&store, "after", 20_000);
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == live(&store));
    let copy = place.killed();
    assert!(live(&copy.open()) == live(&store));
}

/// The power fails while a segment is created.
#[test]
fn a_segment_without_a_complete_header_is_replaced() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    put(&store, "a", 10);
    let (killed, expected) = (place.killed(), live(&store));
    let next = position(&store).unwrap().number + 1;
    let path = killed.path("log").join(format!("{next:020}.tables-kept"));
    for content in [&[][..], &[0; 64], &[7; 30]] {
        fs::write(&path, content).unwrap();
        let opened = killed.open();
        assert!(live(&opened) == expected);
        opened.close().unwrap();
        assert!(!path.exists());
    }
}

/// Otherwise the commits would be lost with the process.
#[test]
fn writes_stop_while_the_log_is_removed_or_moved_and_continue_when_it_is_back() {
    let place = Place { most_bytes: 64 << 10, ..Place::new() };
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    put(&store, "before", 20);
    let refused = |what: &str| {
        let before = live(&store);
        let entity = Entity::new("Sales", "lost").with("Text", what);
        let error = store.execute(&table("Employees"), Operation::InsertOrReplace(entity)).unwrap_err();
        assert!(error.to_string().contains("was removed, moved or replaced"), "{what}: {error}");
        assert!(live(&store) == before, "{what}");
    };
    let (log, other) = (place.path("log"), place.path("other"));
    let segment = place.segments().pop().unwrap().1;
    fs::rename(&log, &other).unwrap();
    refused("moved folder");
    fs::create_dir(&log).unwrap();
    refused("empty folder");
    // A copy is another file, which the store does not write.
    let moved = other.join(segment.file_name().unwrap());
    fs::copy(&moved, &segment).unwrap();
    refused("copied segment");
    refused("copied segment, again");
    fs::remove_dir_all(&log).unwrap();
    fs::rename(&other, &log).unwrap();
    put(&store, "after", 20);
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == live(&store));
    // The next commit starts a segment.
    put(&store, "long", 20_000);
    fs::rename(&log, &other).unwrap();
    refused("moved folder, next segment");
    fs::rename(&other, &log).unwrap();
    put(&store, "last", 20);
    assert!(place.segments().len() > 1);
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == live(&store));
    let copy = place.killed();
    assert!(live(&copy.open()) == live(&store));
}
