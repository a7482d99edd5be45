//! A store that was not closed and whose log was changed is rejected, or contains the rows of a state that it once had. It never
//! panics and never returns other rows. Input: edits of the log of a small store.

#![no_main]

use std::{collections::BTreeMap, sync::LazyLock};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::{
    edits::{self, Rows},
    stores,
};
use table_store::{Disk, Entity, LogMode, MemoryDisk, OpenError, OpenOptions, Operation};

struct Image {
    disk: MemoryDisk,
    log: Vec<u8>,
    /// Positions of non-zero bytes, where changes have the most effect.
    used: Vec<usize>,
    states: Vec<Rows>,
}

fn options() -> OpenOptions {
    stores::options().log_mode(LogMode::Inline)
}

fn read(log: &dyn Disk) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(log.len().expect("memory is there")).expect("it is in memory")];
    log.read(0, &mut bytes).expect("memory is there");
    bytes
}

static IMAGE: LazyLock<Image> = LazyLock::new(|| {
    let disk = MemoryDisk::new();
    let store = options().open_disk(disk.clone()).expect("memory is there").blocking();
    stores::fill(&store, 6);
    let mut states = vec![BTreeMap::new(), edits::rows(&store).expect("it reads")];
    for number in 0..12 {
        let entity = Entity::new("Sales", format!("{:05}", number % 8)).with("Age", number + 100);
        store.execute(&stores::table(), Operation::InsertOrReplace(entity)).expect("it writes");
        states.push(edits::rows(&store).expect("it reads"));
    }
    // The store is not closed.
    let disk = disk.copied();
    let log = read(&*disk.log().expect("a memory disk has a log"));
    let used = (0..log.len()).filter(|at| log[*at] != 0).collect();
    Image { disk, log, used, states }
});

fn check(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let image = &*IMAGE;
    let mut bytes = image.log.clone();
    for _ in 0..input.int_in_range(1..=4)? {
        edits::change(&mut bytes, &image.used, input)?;
    }
    let disk = image.disk.copied();
    let log = disk.log().expect("a memory disk has a log");
    log.set_len(bytes.len() as u64).and_then(|()| log.write(0, &bytes)).expect("memory is there");
    match options().open_disk(disk.clone()) {
        Ok(store) => {
            let store = store.blocking();
            // The table itself may be created by a frame.
            let found = edits::rows(&store).unwrap_or_default();
            assert!(image.states.contains(&found), "not a state of the store: {found:?}");
            if !found.is_empty() {
                let put = Operation::InsertOrReplace(Entity::new("Sales", "new").with("Age", 1));
                store.execute(&stores::table(), put).expect("the file is sound");
                assert_eq!(edits::rows(&store).expect("the file is sound").len(), found.len() + 1);
            }
        }
        Err(OpenError::LogDamaged { .. } | OpenError::LogMissing { .. } | OpenError::StrayLog { .. }) => {
            assert!(read(&*log) == bytes, "the log of a rejected store was changed");
        }
        Err(error) => panic!("a damaged log is reported as {error:?}"),
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});
