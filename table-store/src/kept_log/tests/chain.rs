//! Logs without one of their segments, or with another one in its place.

use super::*;
use crate::{engine::SECTOR_BYTES, kept_log::record::HEAD_BYTES};

/// Returns a closed store whose log has four segments, each with commits.
fn closed() -> Place {
    let mut place = Place::new();
    // With a higher limit, none is deleted.
    for (segments, most_bytes) in [(2, 64 << 10), (4, 128 << 10)] {
        place.most_bytes = most_bytes;
        let store = place.open();
        if segments == 2 {
            begin(&store);
            store.backup(place.path("backup")).unwrap();
        }
        let mut row = 0;
        while place.segments().len() < segments {
            put(&store, &format!("{row}"), 2_000);
            row += 1;
        }
        store.close().unwrap();
    }
    place
}

/// Without the mark of a crash, and with damage of the header, the first commit and the end.
#[test]
fn the_range_of_each_segment_is_listed() {
    let place = closed();
    let segments = place.segments();
    let listed = KeepLog::segments(place.path("log")).unwrap();
    assert_eq!(
        listed.iter().map(|listed| &listed.path).collect::<Vec<_>>(),
        segments.iter().map(|(_, path)| path).collect::<Vec<_>>()
    );
    let mut next = 1;
    for ((first, path), listed) in segments.iter().zip(&listed) {
        let (from, to) = (listed.first.unwrap(), listed.last.unwrap());
        assert!(from.number == next && *first == next && to.number >= next, "{listed:?}");
        assert!(from.time.ticks() >= START && to.time >= from.time && listed.damage.is_none());
        assert_eq!(listed.bytes, fs::metadata(path).unwrap().len());
        next = to.number + 1;
    }
    let store = place.options().read_only(true).open(place.path("store")).unwrap().blocking();
    assert_eq!(position(&store).unwrap().number, next - 1);

    let (_, path) = &segments[1];
    let content = fs::read(path).unwrap();
    let changed = |at: usize| {
        let mut changed = content.clone();
        changed[at] ^= 1;
        fs::write(path, changed).unwrap();
        KeepLog::segments(place.path("log")).unwrap().remove(1)
    };
    for (at, byte) in [(20, 0), (SECTOR_BYTES + 9, 512)] {
        assert_eq!(changed(at).damage.map(|damage| damage.byte), Some(byte));
    }
    let end = content.len() - HEAD_BYTES;
    assert_eq!(changed(end).last, listed[1].last);
    let cut = |mut content: Vec<u8>, damaged: bool| {
        content[end / 2] ^= u8::from(damaged);
        fs::write(path, &content[..end]).unwrap();
        KeepLog::segments(place.path("log")).unwrap().remove(1)
    };
    let sound = cut(content.clone(), false);
    assert_eq!((sound.last, sound.damage), (listed[1].last, None));
    let damaged = cut(content.clone(), true);
    assert!(damaged.last.unwrap().number < listed[1].last.unwrap().number && damaged.damage.is_some());
    assert!(KeepLog::segments(place.path("no folder")).unwrap_err().to_string().contains("check its path"));
}

fn problem(place: &Place) -> KeptLogProblem {
    let files = || ["store", "store-log"].map(|name| fs::read(place.path(name)).ok());
    let segments =
        || place.segments().into_iter().map(|(_, path)| fs::read(path).unwrap()).collect::<Vec<_>>();
    let before = (files(), segments());
    let error = place.keeping().open(place.path("store")).unwrap_err();
    assert!((files(), segments()) == before, "{error}");
    for remedy in ["put the right files back", "`OpenOptions::end_kept_log`", "`KeepLog::start_new`"] {
        assert!(error.to_string().contains(remedy), "{error}");
    }
    match error {
        OpenError::KeptLog { problem, .. } => problem,
        error => panic!("{error}"),
    }
}

#[test]
fn a_missing_segment_is_found_when_the_store_is_opened() {
    let place = closed();
    let segments = place.segments();
    let last = {
        let store = place.options().read_only(true).open(place.path("store")).unwrap().blocking();
        position(&store).unwrap().number
    };
    for (at, (first, path)) in segments.iter().enumerate().skip(1) {
        let content = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        let expected = (*first, segments.get(at + 1).map_or(last, |(next, _)| next - 1));
        let problem = problem(&place);
        let KeptLogProblem::Gap { first, last } = problem else { panic!("{problem}") };
        assert_eq!((first, last), expected);
        // Exactly what a restore misses.
        match place.restored("backup", RestoreTo::Latest) {
            Err(RestoreError::Gap { first, .. }) => assert_eq!(first, expected.0),
            other => panic!("{other:?}"),
        }
        fs::write(path, content).unwrap();
    }
    for (_, path) in &segments[1..3] {
        fs::remove_file(path).unwrap();
    }
    let text = problem(&place).to_string();
    assert_eq!(text, format!("lacks commits {} to {}", segments[1].0, segments[3].0 - 1));
    let killed = place.killed();
    killed.options().end_kept_log().open(killed.path("store")).unwrap().blocking().close().unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    let new = KeepLog::in_folder(place.path("empty")).start_new();
    place.options().keep_log(new).open(place.path("store")).unwrap().blocking().close().unwrap();
}

/// The commits are not missing. A link is not followed, as for the file and the log of a store.
#[cfg(unix)]
#[test]
fn a_symbolic_link_in_place_of_a_segment_is_named() {
    let place = closed();
    for (at, (first, path)) in place.segments().iter().enumerate() {
        let moved = place.path("moved");
        fs::rename(path, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = format!("{name} is a symbolic link instead of the file of a segment");
        let opened = place.keeping().open(place.path("store")).unwrap_err();
        let restored = place.restored("backup", RestoreTo::Latest).unwrap_err();
        for error in [opened.to_string(), restored.to_string()] {
            assert!(error.contains(&expected) && error.contains("put the file itself"), "{error}");
        }
        // As before, commits before it can be restored.
        let before = RestoreTo::Commit(first - 1);
        assert!(at == 0 || place.restored("backup", before).is_ok(), "{first}");
        fs::remove_file(path).unwrap();
        fs::rename(&moved, path).unwrap();
    }
    place.open().close().unwrap();
}

/// The limit of the log deletes them.
#[test]
fn missing_first_segments_are_no_gap() {
    let place = closed();
    fs::remove_file(&place.segments()[0].1).unwrap();
    place.keeping().open(place.path("store")).unwrap().blocking().close().unwrap();
}

#[test]
fn a_cut_exchanged_or_damaged_earlier_segment_is_named() {
    let place = closed();
    let segments = place.segments();
    let [(second, path), (third, after)] = &segments[1..3] else { unreachable!() };
    let content = fs::read(path).unwrap();
    for len in [content.len() - 1_024, content.len() / 2, 64] {
        fs::write(path, &content[..len]).unwrap();
        let problem = problem(&place);
        let KeptLogProblem::Gap { first, last } = problem else { panic!("{len}: {problem}") };
        assert!((*second..*third).contains(&first) && last == third - 1, "{len}: {first} to {last}");
    }
    let mut changed = content.clone();
    changed[20] ^= 1;
    for changed in [changed, content[..63].to_vec(), fs::read(after).unwrap()] {
        fs::write(path, changed).unwrap();
        let problem = problem(&place);
        assert!(
            matches!(&problem, KeptLogProblem::DamagedSegment { name } if path.ends_with(name)),
            "{problem}"
        );
    }
    // The log of another store with commits of the same numbers.
    fs::copy(&closed().segments()[1].1, path).unwrap();
    let problem = problem(&place);
    assert!(matches!(&problem, KeptLogProblem::OtherSegment { name } if path.ends_with(name)), "{problem}");
}

/// A crash leaves a segment without its mark. The commits themselves are verified by a restore.
#[test]
fn a_lost_mark_and_damaged_commits_of_an_earlier_segment_do_not_stop_a_store() {
    let place = closed();
    let (_, path) = &place.segments()[1];
    let content = fs::read(path).unwrap();
    let mut damaged = content.clone();
    damaged[content.len() / 2] ^= 1;
    for changed in [content[..content.len() - HEAD_BYTES].to_vec(), damaged] {
        fs::write(path, changed).unwrap();
        place.keeping().open(place.path("store")).unwrap().blocking().close().unwrap();
    }
    let error = place.restored("backup", RestoreTo::Latest).unwrap_err();
    assert!(matches!(error, RestoreError::Gap { .. }), "{error}");
}

/// The bit is in the last commit, or in an earlier one of the last segment.
#[test]
fn a_changed_bit_in_the_last_segment_is_called_damage() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    (0..6).for_each(|row| put(&store, &format!("{row}"), 1_000));
    for place in [place.killed(), {
        store.close().unwrap();
        place
    }] {
        let (_, path) = &place.segments()[0];
        let content = fs::read(path).unwrap();
        let segment = segment::Segment::read(
            &Directory::new(&place.path("log")),
            path.file_name().unwrap().to_str().unwrap(),
        );
        let ends: Vec<_> = segment.unwrap().unwrap().records().map(|record| record.end).collect();
        let last = ends.len() as u64;
        for (number, end) in (1..).zip(&ends).skip(3) {
            let mut changed = content.clone();
            changed[end - 9] ^= 1;
            fs::write(path, changed).unwrap();
            let problem = problem(&place);
            let KeptLogProblem::DamagedCommits { name, first, last: hidden } = &problem else {
                panic!("{number}: {problem}")
            };
            assert!(
                path.ends_with(name) && (*first, *hidden) == (number, last),
                "{number} of {last}: {problem}"
            );
        }
    }
}
