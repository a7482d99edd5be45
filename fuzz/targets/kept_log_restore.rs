//! A backup with a changed kept log is not restored, or the new store contains the rows after the reported commit. Input: edits
//! of the segments of a small kept log, and the point of the restore.

#![no_main]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::{
    edits::{self, Rows},
    stores,
};
use table_store::{Entity, KeepLog, LogEnd, Operation, RestoreError, RestoreTo};

struct Image {
    folder: PathBuf,
    backup: PathBuf,
    segments: Vec<(PathBuf, Vec<u8>)>,
    /// The rows after each commit; the first one is the backup.
    states: Vec<(u64, Rows)>,
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

static IMAGE: LazyLock<Image> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("table-fuzz-kept-log-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(log(&folder)).expect("the directory of temporary files exists");
    // Segments of 16 KiB.
    let keep = KeepLog::in_folder(log(&folder)).most_bytes(64 << 10);
    let store = stores::options().keep_log(keep).open(folder.join("store")).expect("it is new").blocking();
    stores::fill(&store, 4);
    let backup = folder.join("backup");
    store.backup(&backup).expect("it is new");
    // Without another commit, a restore returns the number of the last one.
    let options = stores::options();
    let first = options.restore(&backup, log(&folder), RestoreTo::Latest, folder.join("first"));
    let first = first.expect("the log is sound").commit;
    let mut states = vec![(first, edits::rows(&store).expect("it reads"))];
    for number in 0..8 {
        let text = "x".repeat(if number == 3 { 15_000 } else { 100 });
        let entity =
            Entity::new("Sales", format!("{:05}", number % 5)).with("Age", number).with("Text", text);
        store.execute(&stores::table(), Operation::InsertOrReplace(entity)).expect("it writes");
        states.push((first + states.len() as u64, edits::rows(&store).expect("it reads")));
    }
    // The store is not closed.
    std::mem::forget(store);
    let listed = fs::read_dir(log(&folder)).expect("it exists").map(|entry| entry.expect("it exists").path());
    let segments = listed.map(|path| (path.clone(), fs::read(&path).expect("it exists"))).collect();
    Image { folder, backup, segments, states }
});

fn check(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let image = &*IMAGE;
    let to = if input.arbitrary()? {
        RestoreTo::Latest
    } else {
        RestoreTo::Commit(input.choose(&image.states)?.0)
    };
    let mut segments: Vec<_> = image.segments.iter().map(|(path, bytes)| (path, bytes.clone())).collect();
    for _ in 0..input.int_in_range(1..=3)? {
        let at = input.choose_index(segments.len())?;
        let Some((_, bytes)) = segments.get_mut(at) else { continue };
        let used: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
        edits::change(bytes, &used, input)?;
    }
    for (path, bytes) in segments {
        // The writer has locked the file, but does not write.
        fs::write(path, bytes).expect("it exists");
    }
    let new = image.folder.join("new");
    let _ = fs::remove_file(&new);
    match stores::options().restore(&image.backup, log(&image.folder), to, &new) {
        Ok(restored) => {
            let state = image.states.iter().find(|(commit, _)| *commit == restored.commit);
            let store = stores::options().open(&new).expect("the new store is sound").blocking();
            let found = edits::rows(&store).expect("the new store is sound");
            assert!(state.is_some_and(|(_, rows)| *rows == found), "{restored:?}: {found:?}");
            let last = image.states.last().map(|(commit, _)| *commit);
            assert!(restored.end != LogEnd::Confirmed || Some(restored.commit) == last, "{restored:?}");
            store.close().expect("the new store is sound");
        }
        Err(
            RestoreError::NoLog { .. }
            | RestoreError::OtherLog { .. }
            | RestoreError::Gap { .. }
            | RestoreError::NotReached { .. },
        ) => assert!(!new.exists(), "a failed restore creates nothing"),
        Err(error) => panic!("a damaged kept log is reported as {error:?}"),
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});
