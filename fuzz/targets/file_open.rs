//! A store with a modified file is rejected, reports damage, or returns the written data; it never panics and never
//! returns other data. Input: whether to verify, then edits of the file of a small closed store.

#![no_main]

use std::{
    collections::BTreeMap,
    sync::{LazyLock, Once},
};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::stores;
use table_store::{
    BlockingStore, Entity, MemoryDisk, OpenError, Operation, Query, Row, StorageFault, TableError,
};

/// Size of an engine page in bytes.
const PAGE: usize = 4096;

struct Image {
    bytes: Vec<u8>,
    /// Positions of non-zero bytes, where changes have the most effect.
    used: Vec<usize>,
    /// The pages with records.
    records: Vec<usize>,
    rows: BTreeMap<String, Row>,
    /// The replaced row, with its earlier content.
    before: Row,
}

static IMAGE: LazyLock<Image> = LazyLock::new(|| {
    let disk = MemoryDisk::new();
    let store = stores::options().open_disk(disk.clone()).expect("memory is there").blocking();
    stores::fill(&store, 40);
    let before = store.get(&stores::table(), "Sales", "00007", None).expect("it reads").expect("it is there");
    let again = Entity::new("Sales", "00007").with("Age", 7000);
    store.execute(&stores::table(), Operation::InsertOrReplace(again)).expect("it writes");
    let rows = store.query(&stores::table(), Query::new()).expect("it reads").rows;
    store.close().expect("it closes");
    let bytes = disk.bytes();
    let used = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
    let pages = bytes.chunks(PAGE).enumerate();
    let records =
        pages.filter(|(_, page)| page.windows(3).any(|part| part == b"Age")).map(|(at, _)| at).collect();
    let rows = rows.into_iter().map(|row| (row.row_key.clone().expect("all is selected"), row)).collect();
    Image { bytes, used, records, rows, before }
});

/// The engine library may panic on a damaged file; the store turns that into a report. Every other panic is a failure.
/// With `FUZZ_TRACE` set, ignored panics are printed as well.
fn only_the_library_may_panic() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let abort = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map_or("", |location| location.file());
            if !place.contains("/redb-") && !place.starts_with("/rustc/") {
                abort(panic);
            } else if std::env::var_os("FUZZ_TRACE").is_some() {
                eprintln!("{panic}\n{}", std::backtrace::Backtrace::force_capture());
            }
        }));
    });
}

/// Applies one change, anywhere in the file.
fn edit(bytes: &mut Vec<u8>, image: &Image, input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let at = if input.ratio(3, 4)? {
        *input.choose(&image.used)?
    } else {
        input.choose_index(image.bytes.len())?
    };
    if input.ratio(1, 10)? {
        bytes.truncate(at);
        return Ok(());
    }
    let from = input.choose_index(image.bytes.len())? / PAGE;
    change(bytes, at, from, image, input)
}

/// Applies one change to a page with records. The pages with the space accounting of the engine library have no
/// checksum. A write that relies on damaged accounting can make the library panic during unwinding, which cannot be
/// caught.
fn edit_record(bytes: &mut [u8], image: &Image, input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let at = *input.choose(&image.records)? * PAGE + input.choose_index(PAGE)?;
    let from = *input.choose(&image.records)?;
    change(bytes, at, from, image, input)
}

/// Changes the bytes at `at`, within their page; `from` is a page to copy content from.
fn change(
    bytes: &mut [u8],
    at: usize,
    from: usize,
    image: &Image,
    input: &mut Unstructured<'_>,
) -> arbitrary::Result<()> {
    let form = input.int_in_range(0..=8)?;
    let page = bytes.chunks_mut(PAGE).nth(at / PAGE).unwrap_or_default();
    let at = at % PAGE;
    let Some(byte) = page.get_mut(at) else { return Ok(()) };
    match form {
        0..=3 => *byte ^= 1 << input.int_in_range(0..=7)?,
        4 | 5 => *byte = input.arbitrary()?,
        6 => {
            let with: [u8; 8] = input.arbitrary()?;
            page.iter_mut().skip(at).zip(with).for_each(|(byte, with)| *byte = with);
        }
        7 => page.iter_mut().skip(at / 512 * 512).take(512).for_each(|byte| *byte = 0),
        _ => page.iter_mut().zip(&image.bytes[from * PAGE..]).for_each(|(byte, with)| *byte = *with),
    }
    Ok(())
}

fn is_reported(error: &TableError) -> bool {
    matches!(error.fault(), Some(StorageFault::Corrupt { .. } | StorageFault::Io(_)))
        || error.fault().is_none() && error.to_string().contains("TableNotFound")
}

/// Checks all reads. `verified`: all pages were checked on open, so no data may be missing either.
fn read(store: &BlockingStore, image: &Image, verified: bool) {
    match store.query(&stores::table(), Query::new()) {
        Ok(segment) => {
            for row in segment.rows.iter().map(|row| row.to_row()) {
                let key = row.row_key.as_deref().expect("all is selected");
                let right = image.rows.get(key) == Some(&row) || !verified && row == image.before;
                assert!(right, "never written: {row:?}");
            }
            assert!(!verified || segment.rows.len() == image.rows.len(), "rows are missing");
        }
        Err(error) => assert!(is_reported(&error), "{error:?}"),
    }
    for key in ["00000", "00007", "00039"] {
        match store.get(&stores::table(), "Sales", key, None) {
            Ok(Some(row)) => {
                assert!(
                    image.rows.get(key) == Some(&row) || !verified && row == image.before,
                    "never written: {row:?}"
                );
            }
            Ok(None) => assert!(!verified, "{key} is missing"),
            Err(error) => assert!(is_reported(&error), "{error:?}"),
        }
    }
}

fn check(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let image = &*IMAGE;
    let verified: bool = input.arbitrary()?;
    let mut bytes = image.bytes.clone();
    for _ in 0..input.int_in_range(1..=4)? {
        if verified { edit(&mut bytes, image, input)? } else { edit_record(&mut bytes, image, input)? }
    }
    if bytes.is_empty() {
        return Ok(());
    }
    let options = if verified { stores::options() } else { stores::options().verify_up_to(0) };
    let disk = MemoryDisk::with_bytes(bytes.clone());
    match options.open_disk(disk.clone()) {
        Ok(store) => {
            let store = store.blocking();
            read(&store, image, verified);
            // A write to the damaged store may fail; if it succeeds, the entity exists.
            let put = Operation::InsertOrReplace(Entity::new("Sales", "new").with("Age", 1));
            if store.execute(&stores::table(), put).is_ok() && verified {
                let found = store.get(&stores::table(), "Sales", "new", None);
                assert!(found.as_ref().is_ok_and(Option::is_some), "{found:?}");
            }
            let _ = store.close();
        }
        Err(OpenError::Damaged { .. } | OpenError::NotOurs { .. } | OpenError::Newer { .. }) => {
            assert!(disk.bytes() == bytes, "the refused store was changed");
        }
        Err(error) => panic!("a damaged store is told as {error:?}"),
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    only_the_library_may_panic();
    let _ = check(&mut Unstructured::new(data));
});
